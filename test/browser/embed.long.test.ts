import type { FrameLocator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { salon } from '../booking-flow/visitor.ts'
import { intake, WAIVER } from '../pages/shop.ts'
import { hasBrowser, visit } from './chromium.ts'
import { openShop, otherSite } from './open-shop.ts'
import { fillIn, ROSA, sendSlowly } from './visitor.ts'
import { expectWellMade } from './well-made.ts'

describe.runIf(hasBrowser)('[from the business’s own site, in a real browser]', async () => {
  const { services } = salon()
  const table = services.find(({ id }) => id === 'svc_table')
  const asking = table && {
    ...table,
    id: 'svc_asking',
    name: 'A table with questions',
    waiver: { text: WAIVER },
    intake,
  }
  const shop = await openShop(salon({ services: [...services, ...(asking ? [asking] : [])] }))
  const embedded = async (
    attributes: Record<string, string>,
    come = () => visit(),
  ): Promise<{ page: Page; frame: FrameLocator }> => {
    const page = await come()
    await page.goto(`${shop.site}/?${new URLSearchParams(attributes)}`)
    return { page, frame: page.frameLocator('usp-booking iframe') }
  }

  test.each([1280, 360])('at %i px the frame is as high as each page in it, and keeps nobody out', async (width) => {
    const { page, frame } = await embedded({ service: 'svc_table' }, () => visit({ viewport: { width, height: 900 } }))
    const heights = async () => [
      Math.ceil((await page.locator('usp-booking iframe').boundingBox())?.height ?? 0),
      Math.ceil(Number(await frame.locator('body').evaluate('document.body.getBoundingClientRect().height'))),
    ]
    /** Once what is waited for is there; that there is more of it than fits, or less, is told soon after. */
    const height = async (what: string) => {
      await frame.locator(what).first().waitFor()
      await expect.poll(async () => new Set(await heights()).size).toBe(1)
      return (await heights())[0] ?? 0
    }
    const times = await height('.times button')
    for (const one of page.frames()) await expectWellMade(one)
    await frame.locator('.times button').first().click()
    const details = await height('#first_name')
    await fillIn(frame, ROSA)
    await sendSlowly(frame, shop)
    const booked = await height('main a[href*="/cancel/"]')
    expect(booked).toBeLessThan(details)
    await frame.locator('main a[href*="/move/"]').click()
    expect(new Set([times, details, booked, await height('.times a')]).size).toBe(4)
  })

  test('the frame is named by the page in it, and what leads elsewhere opens beside it', async () => {
    const { page, frame } = await embedded({ lang: 'de' })
    const title = () => page.locator('usp-booking iframe').getAttribute('title')
    await expect.poll(title).toContain('Glamour Salon')
    for (const link of ['.contact a[href^="https://glamour-salon.example"]', 'footer a[href="/my"]']) {
      const elsewhere = page.waitForEvent('popup')
      await frame.locator(link).click()
      await (await elsewhere).close()
    }
    expect(page.url()).toContain(shop.site)
  })

  test.each([
    [{}, false],
    [{ theme: 'dark' }, true],
    [{ theme: 'auto' }, true],
    [{ site: 'color-scheme:dark' }, true],
    [{ site: 'color-scheme:light dark' }, true],
    [{ site: 'color-scheme:dark', theme: 'light' }, false],
  ])('to a visitor who prefers the dark, with %j the pages are dark: %s', async (attributes, isDark) => {
    // Were it told to prefer what is light, what frames are told would not be heeded.
    const inTheDark = () => visit({ colorScheme: null }, ['--blink-settings=preferredColorScheme=0'])
    const { frame } = await embedded({ service: 'svc_table', ...attributes }, inTheDark)
    const ink = () => frame.locator('h1').evaluate('getComputedStyle(document.querySelector("h1")).color')
    await expect.poll(ink).toBe(isDark ? 'rgb(241, 240, 246)' : 'rgb(27, 26, 34)')
  })

  test('in Arabic, what is agreed to and asked makes a table stand, and it is put into a calendar', async () => {
    const { page, frame } = await embedded({ service: 'svc_asking', lang: 'ar' })
    await frame.locator('.times button').first().click()
    await fillIn(frame, ROSA)
    await sendSlowly(frame, shop)
    await frame.locator('.text').getByText('at my own risk').waitFor()
    await frame.locator('main form button').click()
    await fillIn(frame, { 'question-allergies': 'Nuts' })
    await frame.locator('main form button').click()
    const file = page.waitForEvent('download')
    await frame.locator('main a[href$=".ics"]').click()
    expect((await file).suggestedFilename()).toBe('booking.ics')
    expect(await frame.locator('html').getAttribute('lang')).toBe('ar')
  })

  test('on a site that the business does not name nothing is shown', async () => {
    const stranger = await otherSite(
      () =>
        `<!doctype html><title>Stranger</title><iframe src="${shop.url}/book"></iframe><script type="module" src="${shop.url}/embed.js"></script><usp-booking></usp-booking>`,
    )
    const refused: string[] = []
    const page = await visit()
    page.removeAllListeners('console')
    page.on('console', (line) => refused.push(line.text()))
    await page.goto(stranger)
    await expect.poll(() => refused.filter((text) => text.includes('frame-ancestors')).length).toBe(2)
    expect(await page.frameLocator('usp-booking iframe').locator('.card').count()).toBe(0)
  })
})
