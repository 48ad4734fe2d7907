import { cancellationTerms } from '../../domain/bookings/cancel-and-reschedule-rules.ts'
import { cancelBooking as operation } from '../../domain/bookings/cancel-booking.ts'
import { englishLocalizer } from '../../infra/i18n/localizer.ts'
import { callOperation, ifUnchangedSince, retryOnConflict, undefinedIfStale } from './call-operation.ts'
import { bookingData, costOfCanceling, currencyOf, serviceAndTimeText } from './describe-booking.ts'
import { ownBooking, requireAgreedCost } from './require-account.ts'
import { defineTool, type ToolContext, ToolError, type ToolResult } from './tool-definition.ts'

interface Input {
  booking_id: string
  reason?: string
  agreed_cost?: number
}

export const costInput = {
  type: 'integer',
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Only after the person agreed to the cost that an earlier call stated.',
}
export const bookingInput = { type: 'string', maxLength: 100, description: 'From my_bookings.' }

export const cancelBooking = defineTool<Input>({
  name: 'cancel_booking',
  title: 'Cancel a booking',
  description: 'Cancels a booking of the person. If that costs something, the first call only states the cost.',
  needsAccount: true,
  isShown: true,
  input: {
    required: ['booking_id'],
    properties: {
      booking_id: bookingInput,
      reason: { type: 'string', maxLength: 500, description: 'For the business, if the person gives one.' },
      agreed_cost: costInput,
    },
  },
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  run: (input, toolContext) => retryOnConflict(() => cancelAsRead(input, toolContext)),
})

/**
 * Makes one attempt to cancel the booking. Returns undefined if another call has changed the booking since the read,
 * because the cancellation cost can be different now.
 */
async function cancelAsRead(
  { booking_id, reason, agreed_cost }: Input,
  toolContext: ToolContext,
): Promise<ToolResult | undefined> {
  const booking = await ownBooking(booking_id, toolContext)
  const what = serviceAndTimeText(booking)
  if (booking.status === 'canceled')
    return { text: `${what} is already canceled.`, data: { booking_id, status: 'canceled' } }
  const currency = currencyOf(booking, toolContext)
  const { fee, refund } = cancellationTerms(booking, 'buyer', toolContext.now)
  const money = (amount: number) => englishLocalizer().money(amount, currency)
  const cost = costOfCanceling(booking, { fee, refund })
  const agreed = { agreed: agreed_cost, tool: 'cancel_booking', currency }
  requireAgreedCost(cost, `Canceling ${what} now costs ${money(cost)}.`, agreed)
  const answer = await callOperation(
    operation,
    { booking_id, ...(reason !== undefined && { reason }) },
    toolContext,
    ifUnchangedSince(booking, toolContext),
  ).catch(undefinedIfStale)
  if (!answer) return undefined
  if (answer.refusal) throw new ToolError(answer.refusal.content)
  const back = refund > 0 ? ` ${money(refund)} is refunded.` : ''
  return {
    text: `Canceled: ${what}.${cost > 0 ? ` It costs ${money(cost)}.` : ''}${back}`,
    data: { ...bookingData(await ownBooking(booking_id, toolContext), toolContext), cost, refund },
  }
}
