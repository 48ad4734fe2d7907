import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { AxeBuilder } from '@axe-core/playwright'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import { type Shop, testShop } from '../support/desk.ts'
import { freePort } from '../support/process.ts'

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'

/** A developer may lack the browser; CI installs it, and fails without. */
export const hasBrowser = existsSync(CHROMIUM) || process.env.CI === 'true'

/** A shop that listens, so that a real browser can visit it. */
export async function openShop(
  definition: BusinessDefinition,
  env: NodeJS.ProcessEnv = {},
): Promise<Shop & { url: string }> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const shop = await testShop(definition, { env: { BASE_URL: url, PORT: String(port), ...env } })
  await shop.app.listen({ port, host: '127.0.0.1' })
  return { ...shop, url }
}

/** Chromium for the tests of a file. Each visit has a context of its own, as if nobody had been there before. */
export function visits() {
  let browser: Browser | undefined
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
  })
  afterAll(async () => browser?.close())
  return async (options: BrowserContextOptions = {}): Promise<Page> => {
    const context = await browser?.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-US', ...options })
    const page = await context?.newPage()
    if (!page) throw new Error('There is no browser')
    page.on('pageerror', (error) => expect.unreachable(`a script failed: ${error}`))
    page.on('console', (line) => {
      if (line.type() === 'error' && /Content Security Policy|Refused to/.test(line.text()))
        expect.unreachable(line.text())
    })
    return page
  }
}

/** Nothing that axe-core knows of keeps anybody out, and nothing is wider than the screen. */
export async function expectWellMade(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map(({ id, nodes }) => `${page.url()}: ${id} at ${nodes[0]?.target}`)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
}

export const ROSA = { first_name: 'Rosa', last_name: 'Díaz', email: 'rosa@example.com', phone: '+12125550143' }

/** Presses a time and fills in who comes, as slowly as people do: the shop's clock goes on meanwhile. */
export async function bookFirst(page: Page, shop: Shop, more: Record<string, string> = {}): Promise<void> {
  await page.locator('.times button').first().click()
  await page.waitForURL(/\/details\?/)
  for (const [name, value] of Object.entries({ ...ROSA, ...more })) {
    const field = page.locator(`#${name}`)
    if (name === 'country') await field.selectOption(value)
    else await field.fill(value)
  }
  shop.time.now = new Date(shop.time.now.getTime() + 5_000)
  await page.locator('main form button').last().click()
  await page.waitForURL(/\/booking\//)
}

/** A page of somebody else's site, on an origin of its own. */
export async function otherSite(body: string): Promise<{ origin: string; close(): void }> {
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(body))
  const port = await freePort()
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return { origin: `http://localhost:${port}`, close: () => void server.close() }
}
