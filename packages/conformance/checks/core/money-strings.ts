import { asMembers, type Members } from '../../caller/answer.ts'
import { expectEqual, expectList, expectTrue } from '../../run/expectations.ts'
import { check } from '../check.ts'
import { paidService } from '../transactions/service-kinds.ts'
import { askToBook, bookingOf, expectUnchanged } from '../transactions/slots-and-bookings.ts'
import { expectInvalid } from './input-faults.ts'
import { amountOf } from './service-facts.ts'

/** Texts that are no amounts of money in minor units. */
const NO_MONEY = ['3.5e4', '1,000', '+5', '75.0', '']

const paymentOf = (booking: Members, amount_paid: unknown) => ({
  booking_id: booking.id,
  payment_result: {
    status: asMembers(booking.payment)?.timing === 'deposit_required' ? 'deposit_paid' : 'paid',
    transaction_id: `conformance-${Math.random().toString(36).slice(2)}`,
    amount_paid,
    currency: asMembers(booking.payment)?.currency,
  },
})

export const moneyStringChecks = [
  check(
    'LIV-047',
    'The paid amount may be a text of digits',
    async (c) => {
      const asText = bookingOf(await askToBook(c, await c.slot(paidService(c))))
      const asNumber = bookingOf(await askToBook(c, await c.slot(paidService(c))))
      const [due, other] = [asText, asNumber].map((one) => amountOf(asMembers(one.payment)?.amount_due))
      const found = await c.caller.call('confirmPayment', paymentOf(asText, String(due)))
      const expected = await c.caller.call('confirmPayment', paymentOf(asNumber, other))
      expectEqual(
        [found.error?.code, found.refusal?.code, asMembers(found.result?.booking)?.status],
        [expected.error?.code, expected.refusal?.code, asMembers(expected.result?.booking)?.status],
        'the answer to an amount as a text',
      )
      expectTrue(found.error?.code !== 'validation_error', 'the amount to be accepted', found.error)
    },
    { needs: ['services.bookings'] },
  ),
  check(
    'LIV-049',
    'The server refuses a paid amount that is no text of digits',
    async (c) => {
      const booking = bookingOf(await askToBook(c, await c.slot(paidService(c))))
      for (const amount of NO_MONEY)
        expectInvalid(await c.caller.call('confirmPayment', paymentOf(booking, amount)), 'amount_paid')
      await expectUnchanged(c, booking)
    },
    { needs: ['services.bookings'] },
  ),
  check(
    'LIV-048 LIV-049',
    'The bounds of a price in a registry search may be texts of digits, and no other texts',
    async ({ anonymous, target }) => {
      const { currency } = target.business
      const search = (price_range: Members) =>
        anonymous.call('searchServices', { query: 'service', price_range: { currency, ...price_range } })
      const asNumbers = (await search({ min: 100, max: 1_000_000 })).success()
      const asTexts = (await search({ min: '100', max: '1000000' })).success()
      const ids = (value: unknown) => expectList(value, 'services').map(({ service_id, id }) => service_id ?? id)
      expectEqual(ids(asTexts.services), ids(asNumbers.services), 'the services for bounds as texts')
      for (const max of NO_MONEY) expectInvalid(await search({ max }), 'max')
    },
    { needs: ['discovery.registry'] },
  ),
  check('LIV-049 LIV-051', 'The server refuses a bound of a price that is no text of digits', async ({ anonymous }) => {
    for (const min of NO_MONEY)
      expectInvalid(await anonymous.call('listServices', { filters: { price: { min } } }), 'min')
    expectInvalid(await anonymous.call('listServices', { pagination: { limit: '5' } }), 'limit')
  }),
]
