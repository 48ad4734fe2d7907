import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { AppBridge, type McpUiHostContext } from '@modelcontextprotocol/ext-apps/app-bridge'
import type { BrowserContextOptions, Frame, Page } from 'playwright-core'
import { ENDPOINT, fetchFrom } from '../oauth/assistant.ts'
import type { TestServer } from '../support/server.ts'
import { visit } from './chromium.ts'

/** An assistant's connection, for somebody who let it act where a token is given. */
export async function connected(shop: TestServer, token?: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  const headers = token === undefined ? undefined : { authorization: `Bearer ${token}` }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(ENDPOINT), {
      fetch: fetchFrom(shop) as typeof fetch,
      ...(headers && { requestInit: { headers } }),
    }),
  )
  return client
}

/** Nothing may be fetched, as where a resource names no origin. */
const POLICY = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'">`

export interface Shown {
  page: Page
  view: Frame
  bridge: AppBridge
  /** What the view asked the host to open, and to tell the model. */
  opened: string[]
  told: string[]
}

interface Wish {
  tool: string
  input?: Record<string, unknown>
  context?: McpUiHostContext
  browser?: BrowserContextOptions
  now?: Date
}

/** Calls a tool as a model does, and shows what comes of it as a host does: by the host's side of MCP Apps, in a frame of no origin. */
export async function shown(
  client: Client,
  { tool, input = {}, context = {}, browser = {}, now }: Wish,
): Promise<Shown> {
  const page = await visit(browser)
  if (now) await page.clock.install({ time: now })
  const result = await client.callTool({ name: tool, arguments: input })
  const [resource] = (await client.readResource({ uri: 'ui://booking/view' })).contents
  const html = resource && 'text' in resource ? resource.text : ''
  const opened: string[] = []
  const told: string[] = []
  const abilities = { openLinks: {}, serverTools: {}, updateModelContext: {} }
  const bridge = new AppBridge(client, { name: 'test', version: '1' }, abilities, { hostContext: context })
  bridge.onopenlink = async ({ url }) => {
    opened.push(url)
    return {}
  }
  bridge.onupdatemodelcontext = async ({ content }) => {
    told.push(JSON.stringify(content))
    return {}
  }
  const ready = new Promise<void>((resolve) => {
    bridge.oninitialized = () => resolve()
  })
  await bridge.connect(await between(page))
  await page.setContent(
    '<!doctype html><html lang="en"><title>Host</title><body style="margin:0"><iframe title="View" sandbox="allow-scripts" style="width:100%;height:100vh;border:0"></iframe>',
  )
  await page.evaluate(
    `addEventListener('message', ({ source, data }) => source === frames[0] && heard(data))
     document.querySelector('iframe').srcdoc = ${JSON.stringify(html.replace('<head>', `<head>${POLICY}`))}`,
  )
  await ready
  await bridge.sendToolInput({ arguments: input })
  await bridge.sendToolResult(result)
  const view = page.frames()[1]
  if (!view) throw new Error('There is no view')
  await view.locator('main > *').first().waitFor()
  return { page, view, bridge, opened, told }
}

/** The messages between the window of the page and the bridge, which is outside of the browser. */
async function between(page: Page): Promise<Transport> {
  const transport: Transport = {
    start: async () => undefined,
    close: async () => undefined,
    send: (message) => page.evaluate(`frames[0].postMessage(${JSON.stringify(message)}, '*')`).then(() => undefined),
  }
  await page.exposeFunction('heard', (message: never) => transport.onmessage?.(message))
  return transport
}
