import { describe, expect, test } from 'vitest'
import { localizerFor } from '../../src/infra/i18n/localizer.ts'
import { daily } from '../availability/week.ts'
import { salon } from '../booking-flow/visitor.ts'
import { lateService } from '../interfaces/assistant/talk.ts'
import { assistantServer, signedIn } from '../oauth/assistant.ts'
import { service } from '../support/definitions.ts'
import { connected, shown } from './app-host.ts'
import { hasBrowser, visit } from './chromium.ts'
import { bookingOf, openShop } from './open-shop.ts'
import { fillIn, ROSA, sendSlowly } from './visitor.ts'
import { expectWellMade } from './well-made.ts'

const PHONE = { viewport: { width: 360, height: 780 } }

describe.runIf(hasBrowser)('[in a real browser, by the host’s side of MCP Apps]', async () => {
  const shop = await openShop(salon())
  const anybody = await connected(shop)
  const now = () => shop.time.now
  const day = { from: '2026-11-24' }

  test('[a view] leads from the services to a time, and says when it was booked', async () => {
    const context = { theme: 'light', locale: 'en-US' } as const
    const { view, opened, told } = await shown(anybody, { tool: 'find_services', context, browser: PHONE, now: now() })
    await expectWellMade(view)
    await view.getByRole('button', { name: 'Show times: Women’s Haircut & Style' }).click()
    await view.getByRole('heading', { name: 'Women’s Haircut & Style', level: 1 }).waitFor()
    await expectWellMade(view)
    await view.locator('.times button').first().click()
    await view.getByText('5 minutes left.').waitFor()
    await expectWellMade(view)
    expect(told.at(-1)).toContain('status_code=')
    await view.getByRole('button', { name: 'Continue booking' }).click()
    await expect.poll(() => opened).toHaveLength(1)
    const page = await visit(PHONE)
    await page.goto(opened[0] ?? '')
    await fillIn(page, ROSA)
    await sendSlowly(page, shop)
    await page.waitForURL(/\/booking\//)
    expect((await bookingOf(shop, page)).principal).toMatch(/^assistant:/)
    await view.getByText('Confirmed', { exact: true }).waitFor()
    await expectWellMade(view)
    await expect.poll(() => told.at(-1)).toContain('Booked: “Women’s Haircut')
  })

  test.each(['de-DE', 'ar'])(
    '[a view] by keyboard alone, in the dark and in the language of the host: %s',
    async (locale) => {
      const input = { service_ids: ['svc_haircut'], ...day }
      const { say, direction } = localizerFor(locale) ?? {}
      const context = { theme: 'dark', locale } as const
      const { page, view } = await shown(anybody, { tool: 'find_times', input, context, now: now() })
      expect(await view.evaluate('[document.documentElement.lang, document.documentElement.dir]')).toEqual([
        locale,
        direction,
      ])
      await expectWellMade(view)
      const focused = () => view.evaluate('document.activeElement?.className')
      for (let tabs = 0; tabs < 9 && (await focused()) !== 'time'; tabs++) await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await view.getByRole('button', { name: say?.('view.go_on') ?? '' }).waitFor()
      // Who uses no mouse goes on from what has come of it.
      expect(await view.evaluate('document.activeElement?.localName')).toBe('h1')
      await page.keyboard.press('Tab')
      expect(await view.evaluate('document.activeElement?.textContent')).toBe(say?.('view.go_on'))
      await expectWellMade(view)
    },
  )

  test('[a view] of one service shows the times at one place, and those elsewhere once that is chosen', async () => {
    const input = { service_ids: ['svc_haircut'], limit: 25 }
    const { view } = await shown(anybody, { tool: 'find_times', input, browser: PHONE, now: now() })
    const where = view.getByLabel('Location')
    expect(await where.locator('option').allInnerTexts()).toEqual(['Glamour Salon Downtown', 'Glamour Salon Uptown'])
    await where.selectOption({ label: 'Glamour Salon Uptown' })
    // Who goes through a list by keyboard is still in it.
    expect(await view.evaluate('document.activeElement?.id')).toBe('place')
    await expectWellMade(view)
    // Both places may have the same hours left: it is told by what is kept.
    await view.locator('.times button').first().click()
    await view.getByText('Glamour Salon Uptown', { exact: true }).waitFor()
  })

  test('[a view] says what failed where it is seen', async () => {
    const input = { service_ids: ['svc_haircut'], ...day }
    const { view, bridge } = await shown(anybody, { tool: 'find_times', input, browser: PHONE, now: now() })
    bridge.oncalltool = async () => ({ isError: true, content: [] })
    await view.locator('.times button').last().click()
    await view.getByRole('alert').waitFor()
    expect(await view.locator('h1 + [role=alert]').count()).toBe(1)
    await expect.poll(() => view.evaluate('scrollY')).toBeLessThan(100)
  })

  test('[a view] has what others wrote as text', async () => {
    const evil = '<img src=x onerror=alert(1)><script>alert(1)</script>'
    const { services, ...more } = salon()
    await shop.apply({ ...more, services: services.map((one) => ({ ...one, name: evil, description: evil })) })
    await shop.runtime.business.seenBy(shop.runtime.db)
    const { view } = await shown(anybody, { tool: 'find_services' })
    expect(await view.locator('h2').first().innerText()).toBe(evil)
    expect(await view.locator('img, main script').count()).toBe(0)
    await shop.apply(salon())
    await shop.runtime.business.seenBy(shop.runtime.db)
  })

  test('[a view] of what was refused says so in words', async () => {
    const { view } = await shown(anybody, { tool: 'book', input: { slot_id: 'none' } })
    expect(await view.locator('main').innerText()).toContain('Copy one from find_times unchanged')
    await expectWellMade(view)
  })

  const own = await assistantServer({
    hours: daily('06:00', '22:00'),
    services: [service('svc_a'), lateService],
  })

  /** An assistant of somebody who has booked something. */
  async function withBooking() {
    const client = await connected(own, (await signedIn(own)).access)
    const input = { service_ids: ['svc_late'] }
    const { structuredContent } = await client.callTool({ name: 'find_times', arguments: input })
    const { times } = structuredContent as { times: { slots: { slot_id: string }[] }[] }
    const person = { first_name: 'Rosa', last_name: 'Díaz' }
    await client.callTool({ name: 'book', arguments: { slot_id: times[0]?.slots[0]?.slot_id, person } })
    return client
  }

  test('[a view] from right to left keeps the name of a currency together', async () => {
    const context = { theme: 'light', locale: 'ar' } as const
    const { view } = await shown(await withBooking(), { tool: 'my_bookings', context, browser: PHONE })
    await view.locator('button.danger').click()
    await view.getByText('25.00').waitFor()
    expect(await view.locator('main').innerText()).toContain('\u2068US$\u2069')
    await expectWellMade(view)
  })

  test('[a view] of what somebody has booked moves and cancels it, once they have seen what that costs', async () => {
    const client = await withBooking()
    const context = { theme: 'light', locale: 'en-US' } as const
    const { view, told } = await shown(client, { tool: 'my_bookings', context, browser: PHONE })
    await expectWellMade(view)
    await view.getByRole('button', { name: 'Reschedule booking: Service svc_late' }).click()
    await view.locator('.times button').last().click()
    await expectWellMade(view)
    await view.getByRole('button', { name: 'Reschedule booking' }).click()
    await view.getByRole('button', { name: 'Reschedule for $10.00' }).click()
    await expect.poll(() => told.at(-1)).toContain('Moved. It is now:')
    await view.getByRole('button', { name: 'Cancel booking: Service svc_late' }).click()
    await view.getByText('Canceling costs $25.00.').waitFor()
    await expectWellMade(view)
    await view.getByRole('button', { name: 'Keep booking' }).click()
    expect(told.at(-1)).toContain('Moved')
    await view.getByRole('button', { name: 'Cancel booking: Service svc_late' }).click()
    await view.getByRole('button', { name: 'Cancel booking' }).click()
    await view.getByText('Canceled', { exact: true }).waitFor()
    await expectWellMade(view)
    await expect.poll(() => told.at(-1)).toContain('Canceled: ')
  })
})
