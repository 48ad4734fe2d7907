import type { BookingRow } from '../../domain/bookings/booking-row.ts'
import { refuseMoving } from '../../domain/bookings/cancel-and-reschedule-rules.ts'
import { refuseByStatus } from '../../domain/bookings/operations-by-status.ts'
import { quoteMove } from '../../domain/bookings/quote-and-reschedule.ts'
import { rescheduleBooking } from '../../domain/bookings/reschedule-booking.ts'
import { englishLocalizer } from '../../infra/i18n/localizer.ts'
import { moreToPay } from '../booking-pages/reschedule-costs-and-limits.ts'
import { callOperation, ifUnchangedSince, retryOnConflict, undefinedIfStale } from './call-operation.ts'
import { bookingInput, costInput } from './cancel-booking-tool.ts'
import { slotIdInput } from './chosen-slot.ts'
import { bookingData, bookingText, bookingWords, currencyOf } from './describe-booking.ts'
import { lines } from './quote-untrusted-text.ts'
import { ownBooking, requireAgreedCost } from './require-account.ts'
import { defineTool, type ToolContext, ToolError, type ToolResult } from './tool-definition.ts'

interface Input {
  booking_id: string
  slot_id: string
  agreed_cost?: number
}

export const moveBooking = defineTool<Input>({
  name: 'move_booking',
  title: 'Move a booking',
  description:
    'Moves a booking of the person to another time of its service. If that costs something, the first call ' +
    'only states the cost.',
  needsAccount: true,
  isShown: true,
  input: {
    required: ['booking_id', 'slot_id'],
    properties: { booking_id: bookingInput, slot_id: slotIdInput, agreed_cost: costInput },
  },
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  run: (input, toolContext) => retryOnConflict(() => moveAsRead(input, toolContext)),
})

/**
 * Makes one attempt to move the booking. Returns undefined if another call has changed the booking since the read,
 * because the cost of the move can be different now.
 */
async function moveAsRead(
  { booking_id, slot_id, agreed_cost }: Input,
  toolContext: ToolContext,
): Promise<ToolResult | undefined> {
  const { dependencies, now, definition } = toolContext
  const booking = await ownBooking(booking_id, toolContext)
  // An earlier call has already moved the booking to this slot. An assistant repeats a call if it did not receive the
  // answer. The repeated call costs nothing and does not count as a move.
  if (booking.record.slot_id === slot_id) return movedTo(booking, 0, toolContext)
  refuseByStatus('reschedule', booking)
  refuseMoving(booking, now)
  const { costs } = await quoteMove(
    dependencies.db,
    booking,
    { definition, tag: dependencies.tag, slotId: slot_id },
    now,
  )
  const currency = currencyOf(booking, toolContext)
  const cost = moreToPay(booking, costs)
  const agreed = { agreed: agreed_cost, tool: 'move_booking', currency }
  requireAgreedCost(cost, `Moving it there costs ${englishLocalizer().money(cost, currency)} more.`, agreed)
  const answer = await callOperation(
    rescheduleBooking,
    { booking_id, slot_id },
    toolContext,
    ifUnchangedSince(booking, toolContext),
  ).catch(undefinedIfStale)
  if (!answer) return undefined
  if (answer.refusal) throw new ToolError(`${answer.refusal.content} The booking is unchanged.`)
  return movedTo(await ownBooking(booking_id, toolContext), cost, toolContext)
}

const movedTo = (booking: BookingRow, cost: number, toolContext: ToolContext): ToolResult => ({
  text: lines('Moved. It is now:', bookingText(booking, toolContext)),
  data: { ...bookingData(booking, toolContext), cost },
  words: bookingWords([booking], toolContext),
})
