import { describe, expect, test } from 'vitest'
import { salon } from '../book/visitor.ts'
import { restDesk } from '../support/desk.ts'
import { bookFirst, bookingOf, hasBrowser, openShop, rowOf, visits, WAYS } from './visitor.ts'

const bank_transfer = { account_holder: 'Glamour Salon', iban: 'DE02120300000000202051' }

describe.runIf(hasBrowser)('[paying by hand, in a real browser]', { timeout: 60_000 }, async () => {
  const shop = await openShop(salon({ payments: { provider: 'manual', manual: { bank_transfer } } }))
  const desk = restDesk(shop)
  const visit = visits()

  test('what has to be written to the bank is copied by a press', async () => {
    const page = await visit({ permissions: ['clipboard-read', 'clipboard-write'] })
    await page.goto(`${shop.url}/book/svc_massage`)
    await bookFirst(page, shop)
    await page.getByRole('button', { name: 'Copy: IBAN' }).click()
    await page.getByText('Copied').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(bank_transfer.iban)
    await page.context().close()
  })

  test.each(WAYS)(
    '%s a massage is booked, said to be paid once, and put into the calendar when the money is in',
    async (_, options) => {
      const page = await visit(options)
      await page.goto(`${shop.url}/book/svc_massage`)
      await bookFirst(page, shop)
      expect(page.url()).toContain('/payment/')
      expect(await rowOf(page, 'IBAN')).toBe(bank_transfer.iban)
      await page.getByRole('button', { name: 'I have paid' }).click()
      await page.getByText('We have told Glamour Salon').waitFor()
      expect(await page.locator('main form').count()).toBe(0)
      const { id, status } = await bookingOf(shop, page)
      expect(status).toBe('requires_action')

      await desk.call('usp_business_bookings_mark_paid', { booking_id: id }, { as: shop.staff })
      await page.reload()
      await page.getByRole('heading', { name: 'It is paid' }).waitFor()
      const file = page.waitForEvent('download')
      await page.getByRole('link', { name: 'Add to calendar' }).click()
      expect((await file).suggestedFilename()).toBe('booking.ics')

      await page.getByRole('link', { name: 'See, move or cancel your booking' }).click()
      const receipt = page.getByRole('table', { name: 'Receipt' })
      expect(await receipt.innerText()).toMatch(/Paid to Glamour Salon\s+\$110\.00\s+In all\s+\$110\.00/)
      await page.locator('main a[href*="/cancel/"]').click()
      await page.getByText('Canceling now costs $55.00: of the $110.00 you paid, $55.00 goes back to you.').waitFor()
      await page.getByRole('button', { name: 'Cancel the booking' }).click()
      await page.waitForURL(/\/manage\//)
      expect(await receipt.innerText()).toMatch(/Given back\s+-\$55\.00\s+In all\s+\$55\.00/)
      await page.context().close()
    },
  )
})
