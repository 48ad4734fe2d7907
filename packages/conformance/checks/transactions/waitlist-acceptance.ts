import type { Members } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectInstant, expectList, expectMembers, expectTrue } from '../../run/expectations.ts'
import { check } from '../check.ts'
import { type Entry, hasWaitlist, join, offeredEntry, readEntry } from './waitlist-scene.ts'

const needs = ['services.waitlist', 'services.availability', 'services.bookings']

export const waitlistAcceptanceChecks = [
  check(
    'WTL-037 WTL-038 WTL-030',
    'An accepted offer becomes a booking, which can be read and canceled',
    async (c) => {
      const { entry, service, slot } = await offeredEntry(c)
      const { answer, accepted, booking } = await accept(c, entry)
      if (c.binding === 'rest') expectEqual(answer.status, 200, 'the HTTP status')
      expectEqual(accepted.status, 'accepted', 'the status of the entry')
      expectEqual('offered_slot' in accepted || 'offer_expires_at' in accepted, false, 'whether it has an offer')
      c.schemas.expectValid('booking#Booking', booking, 'the booking')
      expectEqual(booking.status, 'confirmed', 'the status of the booking')
      expectEqual(booking.service_id, service.id, 'service_id of the booking')
      expectEqual(booking.buyer, entry.buyer, 'buyer of the booking')
      const { start } = expectMembers(booking.slot, 'slot')
      expectEqual(expectInstant(start, 'slot.start'), Date.parse(slot.start), 'the start of the booking')
      const { booking: read } = (await c.caller.call('getBooking', { booking_id: booking.id })).success()
      expectEqual(expectMembers(read, 'booking').id, booking.id, 'the booking when read')
      const { booking: canceled } = (await c.caller.call('cancelBooking', { booking_id: booking.id })).success()
      expectEqual(expectMembers(canceled, 'booking').status, 'canceled', 'the status after the cancellation')
    },
    { needs },
  ),
  check(
    'WTL-042',
    'An offer can be accepted only once',
    async (c) => {
      const { entry } = await offeredEntry(c)
      await accept(c, entry)
      const again = await c.caller.call('acceptOffer', { entry_id: entry.id })
      const refusal = again.refusedWith('offer_already_accepted')
      expectEqual(refusal.severity, 'recoverable', 'the severity')
      expectEqual('booking' in (again.result ?? {}), false, 'whether the refusal has a booking')
    },
    { needs },
  ),
  check(
    'WTL-043',
    'Two accepts at the same time make one booking',
    async (c) => {
      const { entry } = await offeredEntry(c)
      const call = () => c.caller.call('acceptOffer', { entry_id: entry.id })
      const answers = await Promise.all([call(), call(), call()])
      const bookings = answers.flatMap(({ result }) => (result?.booking ? [result.booking as Members] : []))
      for (const booking of bookings) c.cancelAfterwards(booking)
      expectEqual(bookings.length, 1, 'the number of answers with a booking')
      expectEqual((await readEntry(entry, c.caller)).status, 'accepted', 'the status of the entry')
    },
    { needs },
  ),
  check(
    'WTL-044 LIV-016',
    'Only an offered entry can be accepted or declined',
    async (c) => {
      const { entry: waiting } = await join(c)
      const { entry: removed } = await join(c)
      await c.caller.call('leaveWaitlist', { entry_id: removed.id })
      for (const [entry, status] of [[waiting, 'waiting'] as const, [removed, 'removed'] as const])
        for (const name of ['acceptOffer', 'declineOffer'] as const) {
          const answer = await c.caller.call(name, { entry_id: entry.id })
          expectEqual(answer.refusedWith('invalid_transition').severity, 'unrecoverable', 'the severity')
          expectEqual((await readEntry(entry, c.caller)).status, status, 'the status of the entry')
        }
      const { entry: accepted } = await offeredEntry(c)
      await accept(c, accepted)
      ;(await c.caller.call('declineOffer', { entry_id: accepted.id })).refusedWith('invalid_transition')
      expectEqual((await readEntry(accepted, c.caller)).status, 'accepted', 'the status of the accepted entry')
    },
    { needs },
  ),
  check(
    'WTL-026 WTL-011',
    'An accepted entry that leaves is removed, and its booking stays',
    async (c) => {
      const { entry } = await offeredEntry(c)
      const { accepted, booking } = await accept(c, entry)
      expectTrue(accepted.position >= 1, 'a position of at least 1', accepted.position)
      const left = (await c.caller.call('leaveWaitlist', { entry_id: entry.id })).success()
      expectEqual(expectMembers(left.entry, 'entry').status, 'removed', 'the status of the entry')
      const { booking: read } = (await c.caller.call('getBooking', { booking_id: booking.id })).success()
      expectEqual(expectMembers(read, 'booking').status, 'confirmed', 'the status of the booking')
    },
    { needs },
  ),
  check(
    'WTL-045',
    'An accept converts the platform’s own hold of the offered slot',
    async (c) => {
      const { entry, service, slot } = await offeredEntry(c)
      const held = (await c.caller.call('hold', { service_id: service.id, slot_id: slot.id })).success()
      const { id: hold_id } = expectMembers(held.hold, 'hold')
      c.afterwards(() => c.caller.call('release', { hold_id }))
      const { booking } = await accept(c, entry, { hold_id })
      expectEqual(booking.status, 'confirmed', 'the status of the booking')
      const released = await c.caller.call('release', { hold_id })
      const { status } = (released.result?.hold ?? {}) as Members
      expectTrue(status !== 'released' && status !== 'active', 'the hold to be converted', status)
    },
    { needs },
  ),
  check(
    'WTL-046',
    'An accept returns no credential, and the credential of the entry does not open the booking',
    async (c) => {
      const { entry, credential } = await offeredEntry(c)
      const { answer, booking } = await accept(c, entry)
      expectEqual('booking_scoped_credential' in (answer.result ?? {}), false, 'whether the answer has a credential')
      if (credential === undefined) return
      const read = await c.caller.call('getBooking', { booking_id: booking.id }, { credential })
      const number = c.binding === 'rest' ? 401 : -32006
      expectEqual(read.error?.number, number, 'the error of a reading with the credential of the entry')
    },
    { needs },
  ),
  check(
    'WTL-047',
    'A repeated accept or decline with its idempotency key gives the stored answer',
    async (c) => {
      const options = { idempotencyKey: crypto.randomUUID() }
      const { entry } = await offeredEntry(c)
      const { booking } = await accept(c, entry, {}, options)
      const repeated = (await c.caller.call('acceptOffer', { entry_id: entry.id }, options)).success()
      expectEqual(expectMembers(repeated.booking, 'booking').id, booking.id, 'the booking of the repeated accept')
      const decline = { idempotencyKey: crypto.randomUUID() }
      const { entry: second } = await offeredEntry(c)
      const declined = (await c.caller.call('declineOffer', { entry_id: second.id }, decline)).success()
      const again = (await c.caller.call('declineOffer', { entry_id: second.id }, decline)).success()
      expectEqual(again.entry, declined.entry, 'the answer to the repeated decline')
    },
    { needs },
  ),
  check(
    'WTL-057',
    'The consent of a join is kept on the booking of the accepted offer',
    async (c) => {
      const consent = { analytics: false, marketing: true }
      const buyer = { ...c.buyer(), consent }
      const { entry } = await offeredEntry(c, undefined, { buyer })
      expectEqual(expectMembers(entry.buyer, 'buyer').consent, consent, 'the consent on the entry')
      const { booking } = await accept(c, entry)
      expectEqual(expectMembers(booking.buyer, 'buyer').consent, consent, 'the consent on the booking')
    },
    { needs },
  ),
  check(
    'WTL-039',
    'An accepted offer of a service paid at booking waits for the payment, which confirms it',
    async (c) => {
      const service = c.service('service with a waitlist that is paid at booking', (one) => {
        const { payment_timing, requires_payment } = (one.policies ?? {}) as Members
        return hasWaitlist(one) && payment_timing === 'at_booking' && requires_payment === true
      })
      const { entry } = await offeredEntry(c, service)
      const { booking } = await accept(c, entry)
      expectEqual(booking.status, 'requires_action', 'the status of the booking')
      const types = expectList(booking.actions, 'actions').map(({ type }) => type)
      expectTrue(types.includes('payment'), 'an action of the type payment', types)
      const { amount_due, currency } = expectMembers(booking.payment, 'payment')
      const payment_result = { status: 'paid', transaction_id: crypto.randomUUID(), amount_paid: amount_due, currency }
      const confirmation = { booking_id: booking.id, payment_result }
      const { booking: paid } = (await c.caller.call('confirmPayment', confirmation)).success()
      expectEqual(expectMembers(paid, 'booking').status, 'confirmed', 'the status after the payment')
    },
    { needs },
  ),
  check(
    'WTL-040',
    'An accepted offer of a service with manual confirmation gives a pending booking',
    async (c) => {
      const service = c.service('service with a waitlist and manual confirmation', (one) => {
        const { confirmation_mode } = (one.policies ?? {}) as Members
        return hasWaitlist(one) && confirmation_mode === 'manual'
      })
      const { entry } = await offeredEntry(c, service)
      const { booking } = await accept(c, entry)
      expectEqual(booking.status, 'pending', 'the status of the booking')
    },
    { needs },
  ),
]

/** Accepts the offer of an entry, and cancels the booking after the check. */
async function accept(c: CheckContext, entry: Entry, input: Members = {}, options = {}) {
  const answer = await c.caller.call('acceptOffer', { entry_id: entry.id, ...input }, options)
  const result = answer.success()
  const booking = expectMembers(result.booking, 'booking')
  c.cancelAfterwards(booking)
  return { answer, accepted: expectMembers(result.entry, 'entry') as Entry, booking }
}
