import { describe, expect, test } from 'vitest'
import { salon } from '../booking-flow/visitor.ts'
import { restDesk } from '../support/desk.ts'
import { hasBrowser, visit } from './chromium.ts'
import { bookingOf, openShop } from './open-shop.ts'
import { comes, fillIn, ROSA, SEE, sendSlowly, WAYS } from './visitor.ts'

const bank_transfer = { account_holder: 'Glamour Salon', iban: 'DE02120300000000202051' }

describe.runIf(hasBrowser)('[paying by hand, in a real browser]', async () => {
  const shop = await openShop(salon({ payments: { provider: 'manual', manual: { bank_transfer } } }))
  const desk = restDesk(shop)

  test('what has to be written to the bank is copied by a press', async () => {
    const page = await visit({ permissions: ['clipboard-read', 'clipboard-write'] })
    await page.goto(`${shop.url}/book/svc_massage`)
    await page.locator('.times button').first().click()
    await page.waitForURL(/\/details\?/)
    await fillIn(page, ROSA)
    await sendSlowly(page, shop)
    await page.getByRole('button', { name: 'Copy: IBAN' }).click()
    await page.getByText('Copied').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(bank_transfer.iban)
  })

  test.each(WAYS)(
    '%s a massage is booked, said to be paid once, and put into the calendar when the money is in',
    async (_, way) => {
      const visitor = await comes(shop, way, 'svc_massage')
      const { frame, localizer } = visitor
      const money = (minorUnits: number) => localizer.money(minorUnits, 'USD')
      await visitor.bookFirst()
      expect(frame.url()).toContain('/payment/')
      expect(await visitor.row('letter.pay.iban')).toBe(bank_transfer.iban)
      await visitor.press('main form button')
      await frame.locator('[role=status]').waitFor()
      expect(await frame.locator('main form').count()).toBe(0)
      const { id, status } = await bookingOf(shop, frame)
      expect(status).toBe('requires_action')

      await desk.call('usp_business_bookings_mark_paid', { booking_id: id }, { as: shop.staff })
      await visitor.open(frame.url())
      await visitor.reads('booking.done.payment')
      expect((await visitor.download('main a[href$=".ics"]')).suggestedFilename()).toBe('booking.ics')

      await visitor.press(SEE, /\/manage\//)
      const amounts = frame.locator('main table td')
      expect(await amounts.allInnerTexts()).toEqual([money(11_000), money(11_000)])
      await visitor.press('main a[href*="/cancel/"]', /\/cancel\//)
      await visitor.reads('booking.cancel.some_back', { kept: money(5_500), paid: money(11_000), back: money(5_500) })
      await visitor.press('main form button', /\/manage\//)
      expect(await amounts.allInnerTexts()).toEqual([money(11_000), money(-5_500), money(5_500)])
    },
  )
})
