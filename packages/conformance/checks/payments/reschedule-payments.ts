import { expectEqual, expectList, expectMembers, expectTrue } from '../../run/expectations.ts'
import { reschedulingOf } from '../../target/service-kinds.ts'
import { check } from '../check.ts'
import { bookingOf } from '../transactions/slots-and-bookings.ts'
import { bookLate } from './late-booking.ts'
import { expectAmount, isPaid, minorUnits, needs, pay } from './payment-steps.ts'

export const reschedulePaymentChecks = [
  check(
    'PAY-017 PAY-071 PAY-072',
    'After a late reschedule with a fee, the booking waits until the fee is paid',
    async (c) => {
      const service = c.service('appointment with payment at booking and a fee for late reschedules', (one) => {
        const { allowed, fee = 0, free_reschedule_until } = reschedulingOf(one)
        const hasFee = allowed === true && Number(fee) > 0 && free_reschedule_until !== undefined
        return one.type === 'appointment' && isPaid(one, 'at_booking') && hasFee
      })
      const { fee, free_reschedule_until } = reschedulingOf(service)
      const paid = await pay(c, await bookLate(c, service, { freeUntil: free_reschedule_until }))
      expectEqual(paid.status, 'confirmed', 'the status before the reschedule')
      const { amount } = expectMembers(paid.payment, 'payment')
      const slot = await c.slot(service, { where: ({ pricing }) => pricing === undefined })
      const moved = bookingOf(await c.caller.call('reschedule', { booking_id: paid.id, slot_id: slot.id }))
      expectEqual(moved.status, 'requires_action', 'the status after the reschedule')
      const payment = expectMembers(moved.payment, 'payment')
      // The server may add tax to the fee, as it does for the price.
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
      expectAmount(amount_due, 0, 'payment.amount_due after the payment of the fee')
    },
    { needs },
  ),
]
