import { existsSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { expect, onTestFailed, onTestFinished } from 'vitest'
import { freePort } from '../support/process.ts'

const [WINDOWLESS, USUAL] = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
/** Without windows, which nobody sees, the same browser takes half the time. */
const CHROMIUM = process.env.CHROMIUM ?? (existsSync(WINDOWLESS) ? WINDOWLESS : USUAL)

/** A developer may lack the browser; CI installs it, and fails without. */
export const hasBrowser = existsSync(CHROMIUM) || process.env.CI === 'true'

/** Where the browser finds who says to be Stripe. */
export const cardPagePort = await freePort()

const running = new Map<string, Promise<Browser>>()

/** One of a kind for all files of a worker, with which it ends: to start it takes longer than most tests. */
function browser(settings: readonly string[]): Promise<Browser> {
  const kind = settings.join(' ')
  const known = running.get(kind)
  if (known) return known
  const resolver = `--host-resolver-rules=MAP checkout.stripe.com:443 127.0.0.1:${cardPagePort}`
  const started = chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', resolver, ...settings] })
  running.set(kind, started)
  return started
}

/** A page in a context of its own, as if nobody had been there before. */
export async function newPage(options: BrowserContextOptions = {}, settings: readonly string[] = []): Promise<Page> {
  const context = await (await browser(settings)).newContext({
    viewport: { width: 1280, height: 900 },
    locale: 'en-US',
    ignoreHTTPSErrors: true,
    ...options,
  })
  const page = await context.newPage()
  // What is not there says so before the test's own time is over.
  page.setDefaultTimeout(30_000)
  page.on('pageerror', (error) => expect.unreachable(`a script failed: ${error}`))
  page.on('console', (line) => {
    if (line.type() === 'error' && /Content Security Policy|Refused to/.test(line.text()))
      expect.unreachable(line.text())
  })
  return page
}

/** The same for one test. */
export async function visit(options: BrowserContextOptions = {}, settings: readonly string[] = []): Promise<Page> {
  const page = await newPage(options, settings)
  onTestFinished(() => page.context().close())
  return page
}

const kept = new Map<string, Page>()

/** The same for who leaves nothing behind but cookies: to forget these takes a fraction of what another page does. */
export async function visitAgain(options: BrowserContextOptions): Promise<Page> {
  const key = JSON.stringify(options)
  const page = kept.get(key) ?? (await newPage(options))
  kept.set(key, page)
  onTestFailed(() => {
    kept.delete(key)
    return page.context().close()
  })
  await page.context().clearCookies()
  return page
}
