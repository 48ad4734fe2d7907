import { type Answer, asMembers, type Members } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectList, expectTrue } from '../../run/expectations.ts'
import { paidService } from '../../target/service-kinds.ts'
import { check } from '../check.ts'
import { confirmPayment, paymentResult } from '../payments/payment-steps.ts'
import { askToBook, bookingOf, expectUnchanged } from '../transactions/slots-and-bookings.ts'
import { expectInvalid } from './input-faults.ts'
import { amountOf } from './service-facts.ts'

/** Texts that are not valid amounts of money in minor units, such as cents. */
const NO_MONEY = ['3.5e4', '1,000', '+5', '75.0', '']

const reportPaid = (c: CheckContext, booking: Members, amount_paid: unknown): Promise<Answer> =>
  confirmPayment(c, booking, paymentResult(booking, { amount_paid }))

export const moneyStringChecks = [
  check(
    'LIV-047',
    'The server accepts a paid amount that is a string of digits',
    async (c) => {
      const asText = bookingOf(await askToBook(c, await c.slot(paidService(c))))
      const asNumber = bookingOf(await askToBook(c, await c.slot(paidService(c))))
      const [due, other] = [asText, asNumber].map((one) => amountOf(asMembers(one.payment)?.amount_due))
      const found = await reportPaid(c, asText, String(due))
      const expected = await reportPaid(c, asNumber, other)
      expectEqual(
        [found.error?.code, found.refusal?.code, asMembers(found.result?.booking)?.status],
        [expected.error?.code, expected.refusal?.code, asMembers(expected.result?.booking)?.status],
        'the answer to an amount as a string',
      )
      expectTrue(found.error?.code !== 'validation_error', 'an accepted amount', found.error)
    },
    { needs: ['services.bookings'] },
  ),
  check(
    'LIV-049',
    'The server refuses a paid amount that is a string with other characters than digits',
    async (c) => {
      const booking = bookingOf(await askToBook(c, await c.slot(paidService(c))))
      for (const amount of NO_MONEY) expectInvalid(await reportPaid(c, booking, amount), 'amount_paid')
      await expectUnchanged(c, booking)
    },
    { needs: ['services.bookings'] },
  ),
  check(
    'LIV-048 LIV-049',
    'A registry search accepts price bounds that are strings of digits, and refuses other strings',
    async ({ anonymous, target }) => {
      const { currency } = target.business
      const search = (price_range: Members) =>
        anonymous.call('searchServices', { query: 'service', price_range: { currency, ...price_range } })
      const asNumbers = (await search({ min: 100, max: 1_000_000 })).success()
      const asTexts = (await search({ min: '100', max: '1000000' })).success()
      const ids = (value: unknown) => expectList(value, 'services').map(({ service_id, id }) => service_id ?? id)
      expectEqual(ids(asTexts.services), ids(asNumbers.services), 'the services for bounds as strings')
      for (const max of NO_MONEY) expectInvalid(await search({ max }), 'max')
    },
    { needs: ['discovery.registry'] },
  ),
  check(
    'LIV-049 LIV-051',
    'The catalogue refuses a price bound that is a string with other characters than digits',
    async ({ anonymous }) => {
      for (const min of NO_MONEY)
        expectInvalid(await anonymous.call('listServices', { filters: { price: { min } } }), 'min')
      expectInvalid(await anonymous.call('listServices', { pagination: { limit: '5' } }), 'limit')
    },
  ),
]
