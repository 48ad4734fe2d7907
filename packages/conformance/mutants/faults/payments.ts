import { asMembers, type Members } from '../../caller/answer.ts'
import { bookingOf, codeOf, resultOf, withBooking, withCancellation, withMember, withResult } from '../answers.ts'
import type { Fault } from '../fault.ts'

const withPayment = (result: Members, change: (payment: Members, booking: Members) => Members | undefined) =>
  withBooking(result, (booking) => withMember(booking, 'payment', (payment) => change(payment, booking)))

const withActions = (result: Members, change: (action: Members, booking: Members) => Members) =>
  withBooking(result, (booking) => {
    const { actions } = booking
    return Array.isArray(actions)
      ? { ...booking, actions: actions.map((action) => change(asMembers(action) ?? {}, booking)) }
      : undefined
  })

export const paymentFaults: Fault[] = [
  {
    name: 'The second booking of a slot costs the price of only one person',
    only: ['PAY'],
    seenAt: 'https://github.com/calcom/cal.diy/issues/29628',
    operations: ['book'],
    result: (result, _, memory) =>
      withPayment(result, (payment, { slot, party_size }) => {
        const id = String(asMembers(slot)?.id)
        if (!memory.has(id)) {
          memory.set(id, true)
          return undefined
        }
        return { ...payment, amount: Number(payment.amount) / Number(party_size) }
      }),
  },
  {
    name: 'The amount of a line item is already multiplied by its quantity',
    only: ['PAY'],
    operations: ['book', 'getBooking'],
    result: (result) =>
      withActions(result, (action) => {
        const context = asMembers(action.payment_context)
        const items = Array.isArray(context?.line_items) ? context.line_items : []
        const line_items = items.map((item: Members) => ({
          ...item,
          amount: Number(item.amount) * Number(item.quantity),
        }))
        return context ? { ...action, payment_context: { ...context, line_items } } : action
      }),
  },
  {
    name: 'A booking expires a day later than its payment action',
    only: ['PAY'],
    operations: ['book', 'getBooking'],
    result: (result) =>
      withBooking(result, (booking) => {
        const { expires_at, status } = booking
        const later = new Date(Date.parse(String(expires_at)) + 86_400_000)
        return status === 'requires_action' && expires_at ? { ...booking, expires_at: later.toISOString() } : undefined
      }),
  },
  {
    name: 'The address of the payment page contains the amount',
    only: ['PAY'],
    operations: ['book', 'getBooking'],
    result: (result) =>
      withActions(result, (action, { payment }) => ({
        ...action,
        continue_url: `${action.continue_url}?amount=${asMembers(payment)?.amount_due}`,
      })),
  },
  {
    name: 'The server accepts a payment above the amount due',
    only: ['PAY'],
    operations: ['book', 'confirmPayment'],
    answer: (answer, call, memory) => {
      const result = resultOf(answer, call)
      if (result?.booking) memory.set(String(bookingOf(result).id), result)
      const before = asMembers(memory.get(String(call.input.booking_id)))
      const payment = asMembers(bookingOf(before).payment)
      const paid = Number(asMembers(call.input.payment_result)?.amount_paid)
      const isAbove = paid > Number(payment?.amount_due)
      if (codeOf(answer, call) !== 'payment_amount_mismatch' || !isAbove) return undefined
      const booking = { ...bookingOf(before), status: 'confirmed', actions: [], payment: { ...payment, amount_due: 0 } }
      return withResult(answer, call, { ...before, booking })
    },
  },
  {
    name: 'A refund shows the whole payment, although there is a fee',
    only: ['PAY'],
    seenAt: 'https://github.com/alphagov/pay-connector/pull/714',
    operations: ['cancelBooking'],
    result: (result) =>
      withCancellation(result, (cancellation, { payment }) => {
        const { refund_amount, fee } = cancellation
        const isRefunded = String(asMembers(payment)?.status).includes('refunded')
        return isRefunded ? { ...cancellation, refund_amount: Number(refund_amount) + Number(fee) } : cancellation
      }),
  },
  {
    name: 'A cancellation has no member refund_amount',
    only: ['PAY', 'BKG'],
    seenAt: 'https://github.com/alfio-event/alf.io/issues/384',
    operations: ['cancelBooking', 'getBooking'],
    result: (result) => withCancellation(result, ({ refund_amount, ...cancellation }) => cancellation),
  },
  {
    name: 'A second payment report replaces the transaction',
    only: ['PAY'],
    operations: ['confirmPayment'],
    result: (result, { input }) =>
      withPayment(result, (payment) => ({
        ...payment,
        transaction_id: asMembers(input.payment_result)?.transaction_id,
      })),
  },
  {
    name: 'A canceled booking still shows its payment action',
    only: ['PAY'],
    operations: ['book', 'cancelBooking', 'getBooking'],
    result: (result, _, memory) =>
      withBooking(result, (booking) => {
        const id = String(booking.id)
        if (booking.status === 'requires_action') memory.set(id, booking.actions)
        return booking.status === 'canceled' && memory.has(id) ? { ...booking, actions: memory.get(id) } : undefined
      }),
  },
  {
    name: 'The amount of a payment is in whole units of the currency',
    only: ['PAY'],
    operations: ['book', 'getBooking'],
    result: (result) =>
      withPayment(result, (payment) => ({ ...payment, amount: (Number(payment.amount) / 100).toFixed(2) })),
  },
  {
    name: 'A paid booking still shows the old amount due',
    only: ['PAY'],
    operations: ['book', 'getBooking'],
    result: (result, { operation }, memory) =>
      withPayment(result, (payment, { id }) => {
        if (operation === 'book') memory.set(String(id), payment.amount_due)
        return { ...payment, amount_due: memory.get(String(id)) ?? payment.amount_due }
      }),
  },
]
