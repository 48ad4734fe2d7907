import { asMembers, type Members } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectInstant, expectList, expectMembers, expectTrue } from '../../run/expectations.ts'
import { isManual, policiesOf } from '../../target/service-kinds.ts'
import { check } from '../check.ts'
import { pay } from '../payments/payment-steps.ts'
import { askForHold, bookingOf, cancelBooking, holdOf, newKey, readBooking } from './slots-and-bookings.ts'
import { type Entry, entryOf, hasOffer, hasWaitlist, join, leave, offeredEntry, readEntry } from './waitlist-steps.ts'

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
      expectEqual(hasOffer(accepted), false, 'the presence of an offer in the entry')
      c.schemas.expectValid('booking#Booking', booking, 'the booking')
      expectEqual(booking.status, 'confirmed', 'the status of the booking')
      expectEqual(booking.service_id, service.id, 'service_id of the booking')
      expectEqual(booking.buyer, entry.buyer, 'buyer of the booking')
      const { start } = expectMembers(booking.slot, 'slot')
      expectEqual(expectInstant(start, 'slot.start'), Date.parse(slot.start), 'the start of the booking')
      expectEqual((await readBooking(c, booking)).id, booking.id, 'the booking when read')
      expectEqual((await cancelBooking(c, booking)).status, 'canceled', 'the status after the cancellation')
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
      expectEqual('booking' in (again.result ?? {}), false, 'the presence of a booking in the refusal')
    },
    { needs },
  ),
  check(
    'WTL-043',
    'Simultaneous acceptances of one offer make one booking',
    async (c) => {
      const { entry } = await offeredEntry(c)
      const call = () => c.caller.call('acceptOffer', { entry_id: entry.id })
      const answers = await Promise.all([call(), call(), call()])
      const bookings = answers.flatMap(({ result }) => (result?.booking ? [result.booking as Members] : []))
      for (const booking of bookings) c.cancelAfterwards(booking)
      expectEqual(bookings.length, 1, 'the number of answers with a booking')
      expectEqual((await readEntry(c, entry)).status, 'accepted', 'the status of the entry')
    },
    { needs },
  ),
  check(
    'WTL-044 LIV-016',
    'Only an offered entry can be accepted or declined',
    async (c) => {
      const { entry: waiting } = await join(c)
      const { entry: removed } = await join(c)
      await leave(c, removed)
      for (const [entry, status] of [[waiting, 'waiting'] as const, [removed, 'removed'] as const])
        for (const name of ['acceptOffer', 'declineOffer'] as const) {
          const answer = await c.caller.call(name, { entry_id: entry.id })
          expectEqual(answer.refusedWith('invalid_transition').severity, 'unrecoverable', 'the severity')
          expectEqual((await readEntry(c, entry)).status, status, 'the status of the entry')
        }
      const { entry: accepted } = await offeredEntry(c)
      await accept(c, accepted)
      ;(await c.caller.call('declineOffer', { entry_id: accepted.id })).refusedWith('invalid_transition')
      expectEqual((await readEntry(c, accepted)).status, 'accepted', 'the status of the accepted entry')
    },
    { needs },
  ),
  check(
    'WTL-026 WTL-011',
    'An accepted entry can leave the waitlist, and its booking stays',
    async (c) => {
      const { entry } = await offeredEntry(c)
      const { accepted, booking } = await accept(c, entry)
      expectTrue(accepted.position >= 1, 'a position of at least 1', accepted.position)
      expectEqual((await leave(c, entry)).status, 'removed', 'the status of the entry')
      expectEqual((await readBooking(c, booking)).status, 'confirmed', 'the status of the booking')
    },
    { needs },
  ),
  check(
    'WTL-045',
    'The acceptance of an offer converts a hold of the platform on the offered slot',
    async (c) => {
      const { entry, slot } = await offeredEntry(c)
      const { id: hold_id } = holdOf(await askForHold(c, slot))
      const { booking } = await accept(c, entry, { hold_id })
      expectEqual(booking.status, 'confirmed', 'the status of the booking')
      const released = await c.caller.call('release', { hold_id })
      const status = asMembers(released.result?.hold)?.status
      expectTrue(status !== 'released' && status !== 'active', 'a converted hold', status)
    },
    { needs },
  ),
  check(
    'WTL-046',
    'The acceptance of an offer returns no credential, and the credential of the entry gives no access to the booking',
    async (c) => {
      const { entry, credential } = await offeredEntry(c)
      const { answer, booking } = await accept(c, entry)
      expectEqual(
        'booking_scoped_credential' in (answer.result ?? {}),
        false,
        'the presence of a credential in the answer',
      )
      if (credential === undefined) return
      const read = await c.caller.call('getBooking', { booking_id: booking.id }, { credential })
      const number = c.binding === 'rest' ? 401 : -32006
      expectEqual(read.error?.number, number, 'the error of a read with the credential of the entry')
    },
    { needs },
  ),
  check(
    'WTL-047',
    'An acceptance or decline repeated with its idempotency key gets the stored answer',
    async (c) => {
      const options = newKey()
      const { entry } = await offeredEntry(c)
      const { booking } = await accept(c, entry, {}, options)
      const repeated = await c.caller.call('acceptOffer', { entry_id: entry.id }, options)
      expectEqual(bookingOf(repeated).id, booking.id, 'the booking of the repeated acceptance')
      const { entry: second } = await offeredEntry(c)
      const once = newKey()
      const decline = async () => entryOf(await c.caller.call('declineOffer', { entry_id: second.id }, once))
      const declined = await decline()
      expectEqual(await decline(), declined, 'the answer to the repeated decline')
    },
    { needs },
  ),
  check(
    'WTL-057',
    'The booking of an accepted offer keeps the consent from the waitlist entry',
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
    'After an accepted offer, a service with payment at booking waits for the payment',
    async (c) => {
      const service = c.service('service with a waitlist and payment at booking', (one) => {
        const { payment_timing, requires_payment } = policiesOf(one)
        return hasWaitlist(one) && payment_timing === 'at_booking' && requires_payment === true
      })
      const { entry } = await offeredEntry(c, service)
      const { booking } = await accept(c, entry)
      expectEqual(booking.status, 'requires_action', 'the status of the booking')
      const types = expectList(booking.actions, 'actions').map(({ type }) => type)
      expectTrue(types.includes('payment'), 'an action of the type payment', types)
      expectEqual((await pay(c, booking)).status, 'confirmed', 'the status after the payment')
    },
    { needs },
  ),
  check(
    'WTL-040',
    'An accepted offer of a service with manual confirmation becomes a pending booking',
    async (c) => {
      const service = c.service(
        'service with a waitlist and manual confirmation',
        (one) => hasWaitlist(one) && isManual(one),
      )
      const { entry } = await offeredEntry(c, service)
      const { booking } = await accept(c, entry)
      expectEqual(booking.status, 'pending', 'the status of the booking')
    },
    { needs },
  ),
]

/** Accepts the offer of an entry, which makes a booking. Cancels the booking after the check. */
async function accept(c: CheckContext, entry: Entry, input: Members = {}, options = {}) {
  const answer = await c.caller.call('acceptOffer', { entry_id: entry.id, ...input }, options)
  const booking = bookingOf(answer)
  c.cancelAfterwards(booking)
  return { answer, accepted: entryOf(answer), booking }
}
