import { refusalText } from '../pages/refusals.ts'
import type { BookingAction } from './booking-actions.ts'
import { bookingPage } from './booking-page.ts'
import { callAsStaff, type DeskDependencies, type DeskRequest } from './desk-calls.ts'
import type { Answer } from './desk-page.ts'

type Input = { booking_id: string; reason?: string; notes?: string }

/** Calls the operation of a button and redirects to the booking. A refusal appears above the booking. */
export async function runBookingAction(
  { operation }: Pick<BookingAction, 'operation'>,
  input: Input,
  asking: DeskRequest,
  means: DeskDependencies,
): Promise<Answer> {
  const { refusal } = await callAsStaff(operation, input, asking, means)
  const id = input.booking_id
  if (!refusal) return { to: `/desk/bookings/${encodeURIComponent(id)}` }
  const text = refusalText(refusal.code, asking.request.speech, 'desk.refused')
  return bookingPage(id, asking, means, { text, isRefusal: true })
}
