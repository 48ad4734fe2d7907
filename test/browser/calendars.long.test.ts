import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { staffLinkMake } from '../../src/core/authentication/desk-sign-in-links.ts'
import { staffInsert } from '../../src/core/authentication/staff-members.ts'
import { startCalendarReader } from '../../src/domain/busy-times/source-worker.ts'
import { calendarOf } from '../busy-times/calendar-text.ts'
import { hour, salon } from '../busy-times/connected-shop.ts'
import { APP, googleStandIn } from '../busy-times/google.ts'
import { ANN, at } from '../busy-times/google-shop.ts'
import { APP as MICROSOFT_APP, microsoftStandIn } from '../busy-times/microsoft.ts'
import { calendarProvider } from '../busy-times/provider.ts'
import { Receptionist, receptionist, WAYS } from './at-desk.ts'
import { hasBrowser, newPage } from './chromium.ts'
import { mouse } from './hands.ts'
import { openShop } from './open-shop.ts'
import { expectWellMade } from './well-made.ts'

const DAY = '2026-11-24'

/** Where pictures of the pages go, if somebody wants to look at them. */
const PICTURES = process.env.USP_PICTURES

describe.runIf(hasBrowser)('[calendars elsewhere] in a real browser', async () => {
  const [google, microsoft] = await Promise.all([googleStandIn(), microsoftStandIn()])
  const env = { GOOGLE_API_BASE: google.origin, MICROSOFT_API_BASE: microsoft.origin }
  const [shop, provider] = [await openShop(salon, env), await calendarProvider()]
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

  test.each(WAYS)(
    '%s an owner enters the app at Google, and a manager connects an account with it',
    async (way, { hand, look }) => {
      const { runtime, time, url } = shop
      await runtime.db.deleteFrom('calendar_apps').execute()
      google.reset(ANN)
      const family = google.makeCalendar(ANN, 'Family')
      google.put(ANN, 'one', at(DAY, 11))
      google.put(family, 'two', at(DAY, 13))
      const picture = async (page: Page, name: string) => {
        if (PICTURES)
          await page.screenshot({ path: `${PICTURES}/google-${name}-${way.replaceAll(' ', '-')}.png`, fullPage: true })
      }
      const { id } = await staffInsert(runtime.db, { name: 'Olga', role: 'owner', email: null }, time.now)
      const owner = new Receptionist(await newPage(look), hand)
      await owner.page.goto(await staffLinkMake(runtime.db, url, id, time.now))
      await owner.press('Sign in')
      await owner.page.goto(`${url}/desk/setup`)
      await owner.press('Google Calendar')
      await expectWellMade(owner.page)
      await owner.take({ 'Client ID': APP.client_id, 'Client secret': APP.client_secret })
      await owner.press('Save')
      await owner.page.locator('#secret-stored').waitFor()
      await expectWellMade(owner.page)
      await picture(owner.page, 'app')
      await owner.page.context().close()

      const jo = await receptionist(shop, { hand, look })
      const { page } = jo
      const grant = async (account: string) => {
        await page.goto(`${url}/desk/calendars`)
        await expectWellMade(page)
        await jo.press('Connect Google Calendar')
        await page.locator('#account').waitFor()
        if (account === '') return hand.press(page.mainFrame(), '#cancel')
        await hand.write(page.mainFrame(), 'account', account)
        await hand.press(page.mainFrame(), '#allow')
      }
      await grant('')
      await page.getByText('Google did not grant access to the calendars.').waitFor()
      await expectWellMade(page)
      await picture(page, 'denied')
      const begun = performance.now()
      await grant(ANN)
      await page.getByText('Only these calendars').waitFor()
      await expectWellMade(page)
      await jo.press('Family')
      await picture(page, 'choose')
      await jo.take({ For: 'Ann' })
      await jo.press('Connect calendar')
      await page.getByText('1 busy time in the next 30 days').waitFor()
      expect(performance.now() - begun).toBeLessThan(30_000)
      await expectWellMade(page)
      await picture(page, 'connected')
      google.revoke(ANN)
      await jo.press('Read now')
      await page.getByText('Google no longer lets this server read these calendars.').waitFor()
      await expectWellMade(page)
      await picture(page, 'revoked')
      await grant(ANN)
      await page.getByText('Only these calendars').waitFor()
      await jo.press('Connect calendar')
      await page.getByText('2 busy times in the next 30 days').waitFor()
      await jo.press('Disconnect')
      await page.locator('button.danger').click()
      await page.getByText('No calendar is connected yet.').waitFor()
      await page.context().close()
    },
  )

  test.each(WAYS)(
    '%s an owner enters the app at Microsoft, and a manager connects an account with it',
    async (way, { hand, look }) => {
      const { runtime, time, url } = shop
      await runtime.db.deleteFrom('calendar_apps').execute()
      microsoft.reset(ANN)
      microsoft.put(microsoft.main(ANN), 'one', { start: `${DAY}T16:00:00`, end: `${DAY}T17:00:00` })
      const { id } = await staffInsert(runtime.db, { name: 'Olga', role: 'owner', email: null }, time.now)
      const owner = new Receptionist(await newPage(look), hand)
      await owner.page.goto(await staffLinkMake(runtime.db, url, id, time.now))
      await owner.press('Sign in')
      await owner.page.goto(`${url}/desk/setup`)
      await owner.press('Microsoft 365 and Outlook')
      await expectWellMade(owner.page)
      await owner.take({ 'Client ID': MICROSOFT_APP.client_id, 'Client secret': MICROSOFT_APP.client_secret })
      await owner.press('Save')
      await owner.page.locator('#secret-stored').waitFor()
      await owner.page.context().close()

      const jo = await receptionist(shop, { hand, look })
      const { page } = jo
      await page.goto(`${url}/desk/calendars`)
      await expectWellMade(page)
      await jo.press('Connect Outlook calendar')
      await page.locator('#account').waitFor()
      await hand.write(page.mainFrame(), 'account', ANN)
      await hand.press(page.mainFrame(), '#allow')
      await page.getByText('Only these calendars').waitFor()
      await expectWellMade(page)
      await jo.press('Connect calendar')
      await page.getByText('1 busy time in the next 30 days').waitFor()
      await expectWellMade(page)
      if (PICTURES)
        await page.screenshot({ path: `${PICTURES}/microsoft-${way.replaceAll(' ', '-')}.png`, fullPage: true })
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
