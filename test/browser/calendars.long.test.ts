import { afterAll, describe, expect, test } from 'vitest'
import { startCalendarReader } from '../../src/domain/busy-times/source-worker.ts'
import { calendarOf } from '../busy-times/calendar-text.ts'
import { hour, salon } from '../busy-times/connected-shop.ts'
import { calendarProvider } from '../busy-times/provider.ts'
import { receptionist, WAYS } from './at-desk.ts'
import { hasBrowser } from './chromium.ts'
import { mouse } from './hands.ts'
import { openShop } from './open-shop.ts'
import { expectWellMade } from './well-made.ts'

const DAY = '2026-11-24'

/** Where pictures of the pages go, if somebody wants to look at them. */
const PICTURES = process.env.USP_PICTURES

describe.runIf(hasBrowser)('[calendars elsewhere] in a real browser', async () => {
  const [shop, provider] = [await openShop(salon), await calendarProvider()]
  const worker = startCalendarReader(shop.runtime)
  afterAll(() => worker.close())
  const calendar = () => provider.publish(calendarOf(...hour('a', DAY, 11), ...hour('b', DAY, 13)))

  test.each(WAYS)(
    '%s a calendar is connected in one form, read again and disconnected',
    async (way, { hand, look }) => {
      const published = calendar()
      const jo = await receptionist(shop, { hand, look })
      const { page } = jo
      await page.goto(`${shop.url}/desk`)
      for (const press of ['More', 'Calendars elsewhere']) await jo.press(press)
      await jo.take({ For: 'Ann', 'ICS address': published.address })
      const begun = performance.now()
      await jo.press('Connect calendar')
      await page.getByText('2 busy times in the next 30 days').waitFor()
      expect(performance.now() - begun).toBeLessThan(20_000)
      await expectWellMade(page)
      if (PICTURES)
        await page.screenshot({ path: `${PICTURES}/connected-${way.replaceAll(' ', '-')}.png`, fullPage: true })
      await page.goto(`${shop.url}/desk?date=${DAY}`)
      await page.getByText('Busy in another calendar').first().waitFor()
      await expectWellMade(page)
      if (PICTURES) await page.screenshot({ path: `${PICTURES}/day-${way.replaceAll(' ', '-')}.png` })
      Object.assign(published, { status: 404 })
      await page.goto(`${shop.url}/desk/calendars`)
      await jo.press('Read now')
      await page.getByText('The provider no longer gives out the calendar').waitFor()
      await expectWellMade(page)
      await jo.press('Disconnect')
      await page.locator('button.danger').click()
      await page.getByText('No calendar is connected yet.').waitFor()
      await page.context().close()
    },
  )

  test.each(['de', 'ar'])('without scripts and on a phone, in the language %s', async (locale) => {
    const look = { viewport: { width: 390, height: 844 }, locale, javaScriptEnabled: true }
    const jo = await receptionist(shop, { hand: mouse, look: { viewport: look.viewport } })
    const cookies = await jo.page.context().cookies()
    await jo.page.context().close()
    const browser = jo.page.context().browser()
    const context = await browser?.newContext({ ...look, ignoreHTTPSErrors: true, javaScriptEnabled: false })
    if (!context) throw new Error('The browser has gone')
    await context.addCookies(cookies)
    const page = await context.newPage()
    await page.goto(`${shop.url}/desk/calendars`)
    const published = calendar()
    await page.locator('#address').fill('https://10.0.0.1/a.ics')
    await page.locator('button[value=connect]').click()
    await page.getByRole('alert').waitFor()
    await page.locator('#address').fill(published.address)
    await page.locator('button[value=connect]').click()
    await page.locator('main .story li').waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe(locale)
    if (PICTURES) await page.screenshot({ path: `${PICTURES}/${locale}.png`, fullPage: true })
    Object.assign(published, { status: 404 })
    await page.locator('button[value=refresh]').click()
    await page.locator('.note.wrong').waitFor()
    if (PICTURES) await page.screenshot({ path: `${PICTURES}/${locale}-failing.png`, fullPage: true })
    await page.locator('details summary').last().click()
    await page.locator('button[value=disconnect]').click()
    await page.locator('main p.note').waitFor()
    await context.close()
  })
})
