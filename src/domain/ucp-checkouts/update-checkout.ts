import { isDeepStrictEqual } from 'node:util'
import { type ChangeContext, defineOperation } from '../../protocol/define-operation.ts'
import { BusinessRefusal } from '../../protocol/errors.ts'
import type { Message, UpdateCheckout } from '../../protocol/types.generated.ts'
import { waitForSlot } from '../availability/find-slot.ts'
import { bookingOf } from './booking-of-checkout.ts'
import { withDoneTasks } from './buyer-tasks.ts'
import { checkSignals } from './check-agent-ip-address.ts'
import { toCheckout } from './checkout-response.ts'
import type { CheckoutRow } from './checkout-row.ts'
import { errorMessage, messageAbout } from './error-messages.ts'
import { localeOfBuyer } from './locale-of-buyer.ts'
import { lockCheckout } from './lock-checkout.ts'
import { checkoutId, onCheckouts, written as writable } from './operation-defaults.ts'
import { checkoutUpdate } from './queries.ts'
import { quantityWarnings, reserve } from './reserve-checkout-slot.ts'

export const updateCheckout = defineOperation<UpdateCheckout>({
  ...onCheckouts,
  id: 'updateCheckout',
  rest: 'PUT /checkout-sessions/{id}',
  tool: 'update_checkout',
  title: 'Update a checkout',
  description:
    'Replaces what the platform wrote in the checkout. Another slot is held, and the former one is released.',
  effect: 'update',
  input: { type: 'object', required: ['id', 'line_items', 'booking'], properties: { id: checkoutId, ...writable } },
  async handle(context) {
    const { input, db } = context
    checkSignals(input.signals)
    await waitForSlot(db, input.booking.slot.id)
    const row = await lockCheckout(context, input.id)
    if (row.status !== 'open')
      return toCheckout(row, context, { booking: await bookingOf(context, row), messages: [unchangeable(row)] })
    try {
      const updated = await db.attempt(() => replaced(context, row))
      return toCheckout(updated, context, {
        messages: [...quantityWarnings(input, updated.agreed), ...termWarnings(input, row, updated)],
      })
    } catch (error) {
      if (!(error instanceof BusinessRefusal)) throw error
      return toCheckout(row, context, { messages: [messageAbout(error)] })
    }
  },
})

type Input = UpdateCheckout['input']

async function replaced(context: ChangeContext<Input>, row: CheckoutRow): Promise<CheckoutRow> {
  const { input, db, now } = context
  const { hold, ...reserved } = await reserve(context, row)
  const written: CheckoutRow = {
    ...row,
    ...reserved,
    service_id: input.booking.service_id,
    hold_id: hold.id,
    owns_hold: hold.isOwn,
    expires_at: hold.expires_at,
    updated_at: now,
    locale: localeOfBuyer(input),
  }
  const updated = withDoneTasks(written, row)
  await checkoutUpdate(db, updated)
  return updated
}

/**
 * Warns the platform if the update changed the payment term, such as an amount or a due date. A platform that selected
 * the new term gets no warning. A platform that selected a term that the checkout does not offer gets one.
 */
function termWarnings({ payment }: Input, before: CheckoutRow, { agreed: { term } }: CheckoutRow): Message[] {
  const selected = payment?.selected_term_id
  const earlier = before.agreed.term
  const isOffered = selected === undefined || selected === term?.id
  const isNewChoice = selected !== undefined && selected !== earlier?.id
  if (isOffered && (isNewChoice || isDeepStrictEqual(earlier, term))) return []
  const content = 'The payment term has changed. Show the buyer the new amounts and due dates.'
  const path = term && { path: '$.payment.selected_term_id' }
  return [{ type: 'warning', code: 'payment_term_changed', content, ...path }]
}

export const unchangeable = ({ status }: CheckoutRow) =>
  status === 'completing' || status === 'escalated'
    ? errorMessage('complete_in_progress', 'The checkout is being completed and cannot change now.')
    : errorMessage(
        `checkout_${status}`,
        `The checkout is ${status} and cannot change any more.`,
        undefined,
        'unrecoverable',
      )
