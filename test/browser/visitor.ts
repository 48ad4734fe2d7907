import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { type Browser, type BrowserContextOptions, chromium, type FrameLocator, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import { type Shop, testShop } from '../support/desk.ts'
import { freePort } from '../support/process.ts'

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'

/** A developer may lack the browser; CI installs it, and fails without. */
export const hasBrowser = existsSync(CHROMIUM) || process.env.CI === 'true'

export type OpenShop = Shop & { url: string }

/** A shop that listens, so that a real browser can visit it. */
export async function openShop(
  definition: BusinessDefinition,
  env: NodeJS.ProcessEnv = {},
  scheme = 'http',
): Promise<OpenShop> {
  const port = await freePort()
  const url = `${scheme}://127.0.0.1:${port}`
  const shop = await testShop(definition, { env: { BASE_URL: url, PORT: String(port), ...env } })
  await shop.app.listen({ port, host: '127.0.0.1' })
  return { ...shop, url }
}

/** Chromium for the tests of a file. Each visit has a context of its own, as if nobody had been there before. */
export function visits(settings: readonly string[] = []) {
  let browser: Browser | undefined
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', ...settings] })
  })
  afterAll(async () => browser?.close())
  return async (options: BrowserContextOptions = {}): Promise<Page> => {
    const context = await browser?.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-US', ...options })
    const page = await context?.newPage()
    if (!page) throw new Error('There is no browser')
    // What is not there says so before the test's own time is over.
    page.setDefaultTimeout(30_000)
    page.on('pageerror', (error) => expect.unreachable(`a script failed: ${error}`))
    page.on('console', (line) => {
      if (line.type() === 'error' && /Content Security Policy|Refused to/.test(line.text()))
        expect.unreachable(line.text())
    })
    return page
  }
}

/** How different people come: what can be done is to be done in each of these ways. */
export const WAYS: [string, BrowserContextOptions][] = [
  ['at 1280 px', { viewport: { width: 1280, height: 900 } }],
  ['at 360 px, without scripts', { viewport: { width: 360, height: 780 }, javaScriptEnabled: false }],
]

export const ROSA = { first_name: 'Rosa', last_name: 'Díaz', email: 'rosa@example.com', phone: '+12125550143' }

/** Presses a time and fills in who comes; the booking, or what it asks for first, is what one sees then. */
export async function bookFirst(page: Page, shop: Shop, more: Record<string, string> = {}): Promise<void> {
  await page.locator('.times button').first().click()
  await page.waitForURL(/\/details\?/)
  await fillIn(page, { ...ROSA, ...more })
  await sendSlowly(page, shop)
  await page.waitForURL(/\/booking\//)
}

export async function fillIn(page: Page | FrameLocator, values: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    const field = page.locator(`#${name}`)
    if (name === 'country') await field.selectOption(value)
    else await field.fill(value)
  }
}

/** As slowly as people write: the shop's clock goes on meanwhile. */
export async function sendSlowly(page: Page | FrameLocator, shop: Shop): Promise<void> {
  secondsLater(shop, 5)
  await page.locator('main form button').last().click()
}

export function secondsLater(shop: Shop, seconds: number): void {
  shop.time.now = new Date(shop.time.now.getTime() + seconds * 1000)
}

/** The booking whose page, or one of whose pages, somebody is on. */
export async function bookingOf({ runtime: { db } }: Shop, page: Page) {
  const [, id = ''] = /\/booking\/([\w-]+)\//.exec(page.url()) ?? []
  return db.selectFrom('bookings').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

/** What a row of the page's summary says. */
export const rowOf = (page: Page | FrameLocator, name: string): Promise<string> =>
  page
    .locator('dl div', { has: page.locator('dt', { hasText: new RegExp(`^${name}$`) }) })
    .locator('dd')
    .first()
    .innerText()

/** Goes to what there is by the Tab key alone, as who uses no mouse does. */
export async function tabTo(page: Page, what: string): Promise<void> {
  const isThere = () => page.evaluate(`document.activeElement?.matches(${JSON.stringify(what)})`)
  for (let presses = 0; presses < 200 && !(await isThere()); presses++) await page.keyboard.press('Tab')
  expect(await isThere()).toBe(true)
}

/** Goes there, and presses it. */
export async function pressByKeyboard(page: Page, what: string): Promise<void> {
  await tabTo(page, what)
  await page.keyboard.press('Enter')
}

/** Somebody else's site, on an origin of its own; what its page shows may be known later. */
export async function otherSite(body: (address: URL) => string): Promise<{ origin: string }> {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const server = createServer(({ url = '/' }, response) =>
    response.setHeader('content-type', 'text/html').end(body(new URL(url, origin))),
  ).listen(port, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => server.close())
  return { origin }
}
