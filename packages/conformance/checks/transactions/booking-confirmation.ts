import type { Members } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectInstant, expectList, expectTrue } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { DAY_MS } from '../../target/free-slots.ts'
import { isManual, isPaidAhead, manualService, paidService, policiesOf } from '../../target/service-kinds.ts'
import { check } from '../check.ts'
import { expectOffered, readBooking, staffAction } from './slots-and-bookings.ts'

const needs = ['services.bookings']

const manualPaidService = (c: CheckContext) =>
  c.service('service in manual mode with digital payment', (one) => isManual(one) && isPaidAhead(one))

const pendingActions = ({ actions }: Members) =>
  expectList(actions ?? [], 'actions').filter(({ status }) => status === 'pending')

/**
 * Requires the members of an unconfirmed booking: its confirmation mode, a deadline in the future, and no cancellation.
 */
function expectUnresolved(booking: Members, mode: string): void {
  expectEqual(booking.confirmation_mode, mode, 'confirmation_mode')
  const expiresAt = expectInstant(booking.expires_at, 'expires_at')
  expectTrue(expiresAt > Date.now(), 'an expires_at in the future', booking.expires_at)
  expectEqual('cancellation' in booking, false, 'the presence of a cancellation in the booking')
}

export const bookingConfirmationChecks = [
  check(
    'BKG-029 BKG-036 LIV-071',
    'A booking without payment is confirmed at once',
    async (c) => {
      const free = c.service('service in auto mode without payment', (one) => {
        const { requires_payment, confirmation_mode } = policiesOf(one)
        return requires_payment === false && confirmation_mode === 'auto' && one.type === 'appointment'
      })
      const { booking } = await c.book(free)
      expectEqual(booking.status, 'confirmed', 'status')
      expectTrue([undefined, 'auto'].includes(booking.confirmation_mode as string), 'auto mode', booking)
      expectEqual('expires_at' in booking, false, 'the presence of expires_at in a confirmed booking')
    },
    { needs },
  ),
  check(
    'BKG-030',
    'A booking with payment at the service is confirmed at once, without an action',
    async (c) => {
      const later = c.service('service in auto mode with payment at the service', (one) => {
        const { payment_timing, confirmation_mode } = policiesOf(one)
        return payment_timing === 'at_service' && confirmation_mode === 'auto'
      })
      const { booking } = await c.book(later)
      expectEqual(booking.status, 'confirmed', 'status')
      expectEqual(pendingActions(booking), [], 'the pending actions')
    },
    { needs },
  ),
  check(
    'BKG-031 LIV-071 LIV-073 LIV-074',
    'A booking with payment in advance waits for the payment until its deadline',
    async (c) => {
      const { booking, slot } = await c.book(paidService(c))
      expectEqual(booking.status, 'requires_action', 'status')
      expectUnresolved(booking, 'auto')
      const actions = pendingActions(booking)
      expectTrue(actions.length > 0, 'a pending action', booking.actions)
      // The server cancels the booking at its deadline. Therefore no action of the booking may expire later.
      const deadline = Date.parse(String(booking.expires_at))
      for (const action of actions)
        expectTrue(
          expectInstant(action.expires_at, 'expires_at of the action') <= deadline,
          'an action that expires no later than the booking',
          action.expires_at,
        )
      if (c.services.find(({ id }) => id === booking.service_id)?.type === 'appointment')
        await expectOffered(c, slot, false)
    },
    { needs },
  ),
  check(
    'BKG-032 BKG-037 LIV-071 LIV-073',
    'A booking in manual mode waits for approval for a day, or until its start if this is sooner',
    async (c) => {
      const { booking, slot } = await c.book(manualService(c))
      expectEqual(booking.status, 'pending', 'status')
      expectUnresolved(booking, 'manual')
      expectEqual(pendingActions(booking), [], 'the pending actions')
      const usual = Math.min(Date.now() + DAY_MS, Date.parse(slot.start))
      const difference = Math.abs(Date.parse(String(booking.expires_at)) - usual)
      expectTrue(difference < 120_000, 'an expires_at in 24 hours or at the start', booking.expires_at)
      await expectOffered(c, slot, false)
    },
    { needs },
  ),
  check(
    'BKG-033',
    'A booking in manual mode with payment has no action before its approval',
    async (c) => {
      const { booking } = await c.book(manualPaidService(c))
      expectEqual(booking.status, 'pending', 'status')
      expectEqual(pendingActions(booking), [], 'the pending actions')
    },
    { needs },
  ),
  check(
    'BKG-073 BKG-076 LIV-070 REV-005',
    'The business can approve a pending booking, and a second approval changes nothing (flow/105)',
    async (c) => {
      const confirm = staffAction(c, 'confirm')
      const { booking } = await c.book(manualService(c))
      await confirm(booking.id)
      const confirmed = await readBooking(c, booking)
      expectEqual(confirmed.status, 'confirmed', 'status')
      expectTrue(confirmed.revision !== booking.revision, 'a new revision', confirmed.revision)
      await confirm(booking.id)
      expectEqual((await readBooking(c, booking)).revision, confirmed.revision, 'revision after a second approval')
    },
    { needs },
  ),
  check(
    'BKG-074 BKG-033',
    'The approval of a booking with payment asks for the payment',
    async (c) => {
      const confirm = staffAction(c, 'confirm')
      const { booking } = await c.book(manualPaidService(c))
      await confirm(booking.id)
      const approved = await readBooking(c, booking)
      expectEqual(approved.status, 'requires_action', 'status')
      expectTrue(pendingActions(approved).length > 0, 'a pending action', approved.actions)
    },
    { needs },
  ),
  check(
    'BKG-078',
    'A platform cannot approve a booking',
    async (c) => {
      const { booking } = await c.book(manualService(c))
      const answer = await c.caller.call('confirmBooking', { booking_id: booking.id })
      answer.failsWith('authentication_required')
      expectEqual((await readBooking(c, booking)).status, 'pending', 'status')
    },
    { needs },
  ),
  check(
    'BKG-079',
    'A booking-scoped credential does not authorize the approval of its booking (flow/105)',
    async (c) => {
      const { booking, credential } = await c.book(manualService(c))
      if (credential === undefined) throw new Skip('The business issues no booking-scoped credentials.')
      const answer = await c.caller.call('confirmBooking', { booking_id: booking.id }, { credential })
      answer.failsWith('authentication_required')
      expectEqual((await readBooking(c, booking)).status, 'pending', 'status')
    },
    { needs },
  ),
]
