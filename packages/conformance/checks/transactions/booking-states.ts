import { asMembers, type Members } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectTrue } from '../../run/expectations.ts'
import { check } from '../check.ts'
import { manualService, paidService } from './service-kinds.ts'
import { bookingOf, expectUnchanged, readBooking, staffAction } from './slots-and-bookings.ts'

const needs = ['services.bookings']

const confirmPayment = (c: CheckContext, { id }: Members) =>
  c.caller.call('confirmPayment', {
    booking_id: id,
    payment_result: { status: 'paid', transaction_id: 'txn_conformance', amount_paid: 100, currency: 'USD' },
  })

/** Lets a person of the business try what the status of the booking forbids, and requires that nothing changes. */
async function expectForbidden(c: CheckContext, booking: Members, act: (id: unknown) => Promise<unknown>) {
  // An adapter may report the refusal as an error, or not: the booking decides.
  const answer = asMembers(await act(booking.id).catch(() => undefined))
  await expectUnchanged(c, booking)
  return Array.isArray(answer?.messages) ? answer.messages.map((message) => asMembers(message)?.code) : undefined
}

export const bookingStateChecks = [
  check(
    'LIV-068 LIV-016',
    'The payment of a pending or of a canceled booking cannot be confirmed',
    async (c) => {
      const { booking: pending } = await c.book(manualService(c))
      ;(await confirmPayment(c, pending)).refusedWith('invalid_transition')
      await expectUnchanged(c, pending)
      const { booking } = await c.book()
      const canceled = bookingOf(await c.caller.call('cancelBooking', { booking_id: booking.id }))
      const { severity } = (await confirmPayment(c, canceled)).refusedWith('invalid_transition')
      expectEqual(severity, 'unrecoverable', 'severity')
      await expectUnchanged(c, canceled)
    },
    { needs },
  ),
  check(
    'LIV-068',
    'The confirmation of the payment of a confirmed booking answers with its state and a message',
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
    'The payment of a booking that runs or is completed cannot be confirmed',
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
    'A booking that waits for approval or payment is neither started, completed nor marked as a no-show',
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
    'A booking is not marked as a no-show before its start',
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
    'A canceled or completed booking is neither started, completed nor approved',
    async (c) => {
      const [start, complete, confirm] = (['start', 'complete', 'confirm'] as const).map((name) => staffAction(c, name))
      if (!start || !complete || !confirm) throw new Error('There are three actions.')
      const { booking: first } = await c.book()
      const canceled = bookingOf(await c.caller.call('cancelBooking', { booking_id: first.id }))
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
    'An approval of an unpaid booking in auto mode, and of a canceled one, is refused with invalid_transition',
    async (c) => {
      const confirm = staffAction(c, 'confirm')
      const { booking: unpaid } = await c.book(paidService(c))
      const { booking: manual } = await c.book(manualService(c))
      const canceled = bookingOf(await c.caller.call('cancelBooking', { booking_id: manual.id }))
      for (const booking of [unpaid, canceled]) {
        const codes = await expectForbidden(c, booking, confirm)
        if (codes) expectEqual(codes, ['invalid_transition'], 'the codes in messages')
      }
    },
    { needs },
  ),
]
