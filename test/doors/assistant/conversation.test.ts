import { Client as NewClient, StreamableHTTPClientTransport as NewTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { countTokens } from 'gpt-tokenizer'
import { afterAll, describe, expect, test } from 'vitest'
import { ROSA, salon, visitor } from '../../book/visitor.ts'
import { testServer } from '../../support/server.ts'
import { pathOf } from './talk.ts'

const shop = await testServer(salon())
const url = new URL('/mcp', await shop.app.listen({ host: '127.0.0.1', port: 0 }))
const me = { name: 'test', version: '1' }

const newer = async (options: ConstructorParameters<typeof NewClient>[1]) => {
  const client = new NewClient(me, options)
  await client.connect(new NewTransport(url))
  return client
}
const older = async () => {
  const client = new OldClient(me)
  await client.connect(new OldTransport(url))
  return client
}
const clients = [
  ['the current client, of the current revision', await newer({ versionNegotiation: { mode: { pin: '2026-07-28' } } })],
  ['the current client, as it comes', await newer({})],
  ['the previous client', await older()],
] as const
afterAll(() => Promise.all(clients.map(([, client]) => client.close())))

const MOST_CALLS = 4
const MOST_TOKENS = 6_000

describe.each(clients)('%s', (_, client) => {
  test('[any assistant can book] from nothing but the address to a confirmed booking, in few calls and few words', async () => {
    let [calls, tokens] = [0, countTokens(client.getInstructions() ?? '')]
    const { tools } = await client.listTools()
    // What a model reads before it says anything is in the count.
    tokens += countTokens(JSON.stringify(tools))
    const call = async (name: string, args: Record<string, unknown>) => {
      const result = await client.callTool({ name, arguments: args })
      calls++
      // What stands under _meta is for the host's screen, and reaches no model.
      const { _meta, ...read } = result
      tokens += countTokens(JSON.stringify({ name, args })) + countTokens(JSON.stringify(read))
      // A host may pass on the text alone.
      const [first] = result.content as { text: string }[]
      expect(result.isError ?? false).toBe(false)
      return first?.text ?? ''
    }

    const found = await call('find_services', { query: 'hair cut' })
    const [, service = ''] = /^- (svc_\S+)/m.exec(found) ?? []
    expect(service).toBe('svc_haircut')
    const times = await call('find_times', { service_ids: [service], from: '2026-11-24', to: '2026-11-25' })
    const slot = times.split(/\s|;/).find((word) => word.startsWith('slot_')) ?? ''
    const link = await call('book', { slot_id: slot })
    const [, address = ''] = /^(http\S+)$/m.exec(link) ?? []
    const [, status_code = ''] = /status_code="([^"]+)"/.exec(link) ?? []

    const done = await visitor(shop).fill(pathOf(address), ROSA)
    expect(done.status).toBe(303)
    const told = await call('booking_status', { status_code })
    expect(told).toMatch(/^Booked: “Women’s Haircut & Style” on Tuesday 2026-11-24 .*It is confirmed\./)
    expect(calls).toBeLessThanOrEqual(MOST_CALLS)
    expect(tokens).toBeLessThanOrEqual(MOST_TOKENS)
  })
})
