import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { defineOperation } from '../../protocol/define-operation.ts'
import { BusinessRefusal } from '../../protocol/errors.ts'
import { peopleOfBooking } from '../../protocol/list-records-about-people.ts'
import type { ConfirmBooking, Message } from '../../protocol/types.generated.ts'
import { allocationKeep } from './allocate-booking-slot.ts'
import { bookingOutput, idOrReference, summary, toBooking } from './booking-response.ts'
import type { BookingRow } from './booking-row.ts'
import { tasksOf } from './buyer-tasks.ts'
import { deadlineAfterApproval } from './cancel-and-reschedule-rules.ts'
import { after } from './lifecycle.ts'
import { lockBooking, saveBooking } from './lock-and-save-booking.ts'
import { permissionFor, refuseByStatus } from './operations-by-status.ts'
import { isInUnfinishedCheckout } from './queries.ts'

export const confirmBooking = defineOperation<ConfirmBooking>({
  id: 'confirmBooking',
  rest: 'POST /bookings/{booking_id}/confirm',
  tool: 'usp_bookings_confirm',
  title: 'Confirm a booking',
  description:
    'For the business only: confirms a booking that awaits approval. The buyer is asked to pay only afterwards.',
  capability: 'dev.usp-protocol.services.bookings',
  access: 'business_only',
  effect: 'update',
  input: {
    type: 'object',
    required: ['booking_id'],
    properties: {
      booking_id: idOrReference,
      notes: { type: 'string', maxLength: 2000, description: 'A message to the buyer.' },
    },
  },
  output: bookingOutput,
  people: peopleOfBooking,
  summary,
  async handle(context) {
    const { input, db, caller, now } = context
    if (await isInUnfinishedCheckout(db, input.booking_id))
      throw new BusinessRefusal(
        'invalid_transition',
        'This booking is pending until its checkout is completed. The business cannot confirm it.',
      )
    const booking = await lockBooking(context, input.booking_id)
    return {
      booking: toBooking(await approve(db, booking, { actor: caller.principal, notes: input.notes }, now), context),
    }
  },
})

async function approve(
  tx: UnitOfWork,
  booking: BookingRow,
  { actor, notes }: { actor: string; notes?: string | undefined },
  now: Date,
): Promise<BookingRow> {
  const { status, record } = booking
  refuseByStatus('confirm', booking)
  if (permissionFor('confirm', booking) === 'unchanged') return booking
  // A booking with an order comes from a UCP (Universal Commerce Protocol) checkout. The buyer completed all tasks in
  // the checkout, before the server created the booking.
  const tasks = record.order ? [] : tasksOf(record)
  const note: Message[] = notes === undefined ? [] : [{ type: 'info', code: 'business_note', content: notes }]
  const approved = { ...record, tasks, ...(note.length > 0 && { messages: note }) }
  const step = tasks.length > 0 ? 'ask' : 'approve'
  const expires_at = deadlineAfterApproval(after(status, step), { record: approved, starts_at: booking.starts_at }, now)
  if (!(await allocationKeep(tx, booking, expires_at, now)))
    throw new BusinessRefusal('slot_unavailable', 'This booking has just expired.')
  return saveBooking(
    tx,
    booking,
    { change: { step, expires_at, record: approved }, by: { actor, action: 'confirm' } },
    now,
  )
}
