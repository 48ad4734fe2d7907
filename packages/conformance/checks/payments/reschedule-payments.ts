import type { Members } from '../../caller/answer.ts'
import { expectEqual, expectList, expectMembers, expectTrue } from '../../run/expectations.ts'
import { check } from '../check.ts'
import { bookLate } from './late-booking.ts'
import { isPaid, minorUnits, pay, policiesOf } from './payment-scene.ts'

const needs = ['services.availability', 'services.bookings']

export const reschedulePaymentChecks = [
  check(
    'PAY-017 PAY-071 PAY-072',
    'A late reschedule with a fee waits for the payment of the fee, which confirms the booking again',
    async (c) => {
      const service = c.service('appointment paid at booking with a fee for a late reschedule', (one) => {
        const { allowed, fee = 0, free_reschedule_until } = reschedulingOf(one)
        const hasFee = allowed === true && Number(fee) > 0 && free_reschedule_until !== undefined
        return one.type === 'appointment' && isPaid(one, 'at_booking') && hasFee
      })
      const { fee, free_reschedule_until } = reschedulingOf(service)
      const paid = await pay(c, await bookLate(c, service, { freeUntil: free_reschedule_until }))
      expectEqual(paid.status, 'confirmed', 'the status before')
      const { amount } = expectMembers(paid.payment, 'payment')
      const slot = await c.slot(service, { where: ({ pricing }) => pricing === undefined })
      const answer = await c.caller.call('reschedule', { booking_id: paid.id, slot_id: slot.id })
      const moved = expectMembers(answer.success().booking, 'booking')
      expectEqual(moved.status, 'requires_action', 'the status after the reschedule')
      const payment = expectMembers(moved.payment, 'payment')
      // A fee can be taxed like the price.
      const due = minorUnits(payment.amount_due, 'payment.amount_due')
      expectTrue(due >= Number(fee) && due < Number(amount), `the fee ${fee} as payment.amount_due`, due)
      const pending = expectList(moved.actions, 'actions').filter(({ status }) => status === 'pending')
      const context = expectMembers(pending.find(({ type }) => type === 'payment')?.payment_context, 'payment_context')
      expectEqual(context.amount_due, payment.amount_due, 'payment_context.amount_due')
      const amounts = expectList(context.line_items, 'line_items').map((item) => Number(item.amount))
      expectTrue(amounts.includes(Number(fee)), `a line item of ${fee}`, amounts)
      const again = await pay(c, moved)
      expectEqual(again.status, 'confirmed', 'the status after the payment of the fee')
      const { amount_due } = expectMembers(again.payment, 'payment')
      expectEqual(minorUnits(amount_due, 'payment.amount_due'), 0, 'payment.amount_due after the payment of the fee')
    },
    { needs },
  ),
]

const reschedulingOf = (service: Members): Members => (policiesOf(service).rescheduling ?? {}) as Members
