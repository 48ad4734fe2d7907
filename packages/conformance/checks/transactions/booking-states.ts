import { asMembers, type Members } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectTrue } from '../../run/expectations.ts'
import { manualService, paidService } from '../../target/service-kinds.ts'
import { check } from '../check.ts'
import { bookingOf, cancelBooking, expectUnchanged, PAYMENT, readBooking, staffAction } from './slots-and-bookings.ts'

const needs = ['services.bookings']

const confirmPayment = (c: CheckContext, { id }: Members) =>
  c.caller.call('confirmPayment', { booking_id: id, payment_result: PAYMENT })

/**
 * Tries a forbidden staff action on a booking. Requires that the booking does not change. Returns the message codes, if
 * the staff adapter returns messages.
 */
async function expectForbidden(c: CheckContext, booking: Members, act: (id: unknown) => Promise<unknown>) {
  // A staff adapter may or may not throw an error for the refusal. Therefore the check looks at the booking.
  const answer = asMembers(await act(booking.id).catch(() => undefined))
  await expectUnchanged(c, booking)
  return Array.isArray(answer?.messages) ? answer.messages.map((message) => asMembers(message)?.code) : undefined
}

export const bookingStateChecks = [
  check(
    'LIV-068 LIV-016',
    'The server refuses to confirm the payment of a pending or canceled booking',
    async (c) => {
      const { booking: pending } = await c.book(manualService(c))
      ;(await confirmPayment(c, pending)).refusedWith('invalid_transition')
      await expectUnchanged(c, pending)
      const { booking } = await c.book()
      const canceled = await cancelBooking(c, booking)
      const { severity } = (await confirmPayment(c, canceled)).refusedWith('invalid_transition')
      expectEqual(severity, 'unrecoverable', 'severity')
      await expectUnchanged(c, canceled)
    },
    { needs },
  ),
  check(
    'LIV-068',
    'A payment confirmation for a confirmed booking returns the booking and a message',
    async (c) => {
      const { booking } = await c.book()
      const answer = await confirmPayment(c, booking)
      expectEqual(bookingOf(answer).status, 'confirmed', 'status')
      expectTrue(answer.messages.length > 0, 'a message', answer.result)
      await expectUnchanged(c, booking)
    },
    { needs },
  ),
  check(
    'LIV-068',
    'The server refuses to confirm the payment of a started or completed booking',
    async (c) => {
      const [start, complete] = [staffAction(c, 'start'), staffAction(c, 'complete')]
      const { booking } = await c.book()
      for (const advance of [start, complete]) {
        await advance(booking.id)
        const advanced = await readBooking(c, booking)
        ;(await confirmPayment(c, booking)).refusedWith('invalid_transition')
        await expectUnchanged(c, advanced)
      }
    },
    { needs },
  ),
  check(
    'BKG-089',
    'The staff cannot start, complete or mark as a no-show a booking that waits for approval or payment',
    async (c) => {
      const actions = (['start', 'complete', 'markNoShow'] as const).map((name) => staffAction(c, name))
      for (const service of [manualService(c), paidService(c)]) {
        const { booking } = await c.book(service)
        for (const act of actions) await expectForbidden(c, booking, act)
      }
    },
    { needs },
  ),
  check(
    'BKG-087',
    'The staff cannot mark a booking as a no-show before its start time',
    async (c) => {
      const [start, markNoShow] = [staffAction(c, 'start'), staffAction(c, 'markNoShow')]
      const { booking } = await c.book()
      await expectForbidden(c, booking, markNoShow)
      await start(booking.id)
      await expectForbidden(c, await readBooking(c, booking), markNoShow)
    },
    { needs },
  ),
  check(
    'BKG-088',
    'The staff cannot start, complete or approve a canceled or completed booking',
    async (c) => {
      const [start, complete] = [staffAction(c, 'start'), staffAction(c, 'complete')]
      const confirm = staffAction(c, 'confirm')
      const { booking: first } = await c.book()
      const canceled = await cancelBooking(c, first)
      const { booking: second } = await c.book()
      await start(second.id)
      await complete(second.id)
      for (const ended of [canceled, await readBooking(c, second)])
        for (const act of [start, complete, confirm]) await expectForbidden(c, ended, act)
    },
    { needs },
  ),
  check(
    'BKG-075 LIV-070 LIV-016',
    'The server refuses the approval of a canceled booking, or of an unpaid booking in auto mode',
    async (c) => {
      const confirm = staffAction(c, 'confirm')
      const { booking: unpaid } = await c.book(paidService(c))
      const { booking: manual } = await c.book(manualService(c))
      const canceled = await cancelBooking(c, manual)
      for (const booking of [unpaid, canceled]) {
        const codes = await expectForbidden(c, booking, confirm)
        if (codes) expectEqual(codes, ['invalid_transition'], 'the codes in messages')
      }
    },
    { needs },
  ),
]
