import type { FrameLocator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { salon } from '../book/visitor.ts'
import { intake, WAIVER } from '../pages/shop.ts'
import { fillIn, hasBrowser, openShop, otherSite, ROSA, sendSlowly, visits } from './visitor.ts'

/** A frame of another site is only given cookies that come over TLS. */
const TLS = {
  TLS_CERT_FILE: 'src/egress/development/loopback-cert.pem',
  TLS_KEY_FILE: 'src/egress/development/loopback-key.pem',
}

describe.runIf(hasBrowser)('[from the business’s own site, in a real browser]', { timeout: 60_000 }, async () => {
  const site = await otherSite(({ searchParams: asked }) => {
    const attributes = [...asked].map(([name, value]) => `${name}="${value}"`).join(' ')
    return `<!doctype html><html style="${asked.get('site')}"><title>Salon</title><h1>Salon</h1><script type="module" src="${shop.url}/embed.js"></script><usp-booking ${attributes}></usp-booking>`
  })
  const { services } = salon()
  const table = services.find(({ id }) => id === 'svc_table')
  const asking = table && {
    ...table,
    id: 'svc_asking',
    name: 'A table with questions',
    waiver: { text: WAIVER },
    intake,
  }
  const shop = await openShop(
    salon({ website: { origins: [site.origin] }, services: [...services, ...(asking ? [asking] : [])] }),
    TLS,
    'https',
  )
  const visit = visits()
  const visitInTheDark = visits(['--blink-settings=preferredColorScheme=0'])
  const embedded = async (
    attributes: Record<string, string>,
    come = visit,
  ): Promise<{ page: Page; frame: FrameLocator }> => {
    // Else it is told to prefer what is light, and what frames are told is not heeded.
    const page = await come({ ignoreHTTPSErrors: true, colorScheme: null })
    await page.goto(`${site.origin}/?${new URLSearchParams(attributes)}`)
    return { page, frame: page.frameLocator('usp-booking iframe') }
  }
  const bookFirst = async (frame: FrameLocator) => {
    await frame.locator('.times button').first().click()
    await fillIn(frame, ROSA)
    await sendSlowly(frame, shop)
  }
  const languageOf = (frame: FrameLocator) => frame.locator('html').getAttribute('lang')

  test('the frame grows with the page, and a table is booked in it', async () => {
    const { page, frame } = await embedded({ service: 'svc_table' })
    await frame.locator('.times button').first().waitFor()
    const height = async () => (await page.locator('usp-booking iframe').boundingBox())?.height ?? 0
    await expect.poll(height).toBeGreaterThan(620)
    await bookFirst(frame)
    await frame.getByText('Confirmed').waitFor()
  })

  test('the frame is named by the page in it, and what leads elsewhere opens beside it', async () => {
    const { page, frame } = await embedded({ lang: 'de' })
    const title = () => page.locator('usp-booking iframe').getAttribute('title')
    await expect.poll(title).toContain('Glamour Salon')
    const elsewhere = page.waitForEvent('popup')
    await frame.locator('.contact a[href^="https://glamour-salon.example"]').click()
    await (await elsewhere).close()
    expect(page.url()).toContain(site.origin)
  })

  test.each([
    [{}, false],
    [{ theme: 'dark' }, true],
    [{ theme: 'auto' }, true],
    [{ site: 'color-scheme:dark' }, true],
    [{ site: 'color-scheme:light dark' }, true],
    [{ site: 'color-scheme:dark', theme: 'light' }, false],
  ])('to a visitor who prefers the dark, with %j the pages are dark: %s', async (attributes, isDark) => {
    const { page, frame } = await embedded({ service: 'svc_table', ...attributes }, visitInTheDark)
    const ink = () => frame.locator('h1').evaluate('getComputedStyle(document.querySelector("h1")).color')
    await expect.poll(ink).toBe(isDark ? 'rgb(241, 239, 247)' : 'rgb(28, 27, 34)')
    await page.context().close()
  })

  test('in German, a massage is booked and said to be paid', async () => {
    const { frame } = await embedded({ service: 'svc_massage', lang: 'de' })
    await bookFirst(frame)
    await frame.getByRole('button', { name: 'Ich habe bezahlt' }).click()
    await frame.locator('[role=status]').waitFor()
    expect(await frame.locator('main form').count()).toBe(0)
    expect(await languageOf(frame)).toBe('de')
  })

  test('in Arabic, what is agreed to and asked makes a table stand, and it is put into a calendar', async () => {
    const { page, frame } = await embedded({ service: 'svc_asking', lang: 'ar' })
    await bookFirst(frame)
    await frame.locator('.text').getByText('at my own risk').waitFor()
    await frame.locator('main form button').click()
    await fillIn(frame, { 'question-allergies': 'Nuts' })
    await frame.locator('main form button').click()
    const file = page.waitForEvent('download')
    await frame.locator('main a[href$=".ics"]').click()
    expect((await file).suggestedFilename()).toBe('booking.ics')
    expect(await languageOf(frame)).toBe('ar')
  })

  test('on a site that the business does not name nothing is shown', async () => {
    const stranger = await otherSite(
      () =>
        `<!doctype html><title>Stranger</title><iframe src="${shop.url}/book"></iframe><script type="module" src="${shop.url}/embed.js"></script><usp-booking></usp-booking>`,
    )
    const refused: string[] = []
    const page = await visit({ ignoreHTTPSErrors: true })
    page.removeAllListeners('console')
    page.on('console', (line) => refused.push(line.text()))
    await page.goto(stranger.origin)
    await expect.poll(() => refused.filter((text) => text.includes('frame-ancestors')).length).toBe(2)
    expect(await page.frameLocator('usp-booking iframe').locator('.card').count()).toBe(0)
  })
})
