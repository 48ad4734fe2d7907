import { zoneOf } from '../../core/business/definition-facts.ts'
import { readBooking } from '../../domain/desk/bookings/read-booking.ts'
import { englishLocalizer, localizerFor } from '../../infra/i18n/localizer.ts'
import { type BookingAction, isClaimOpen, paymentClaimActions } from './booking-actions.ts'
import { bookingPage } from './booking-page.ts'
import {
  callAsStaff,
  type DeskDependencies,
  type DeskRequest,
  isAllowed,
  missingRolePage,
} from './call-operation-as-staff.ts'
import type { Answer } from './desk-page.ts'
import { changedBookingText, refusedActionText } from './refused-action-text.ts'

type Input = { booking_id: string; reason?: string; notes?: string }

/**
 * Runs the action of the pressed button on a booking, and redirects to the page of the booking. If the server refuses
 * the action, the page shows the reason.
 */
export async function runBookingAction(
  { operation }: Pick<BookingAction, 'operation'>,
  input: Input,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<Answer> {
  const { refusal } = await callAsStaff(operation, input, deskRequest, dependencies)
  const id = input.booking_id
  if (!refusal) return { to: `/desk/bookings/${encodeURIComponent(id)}` }
  const read = await callAsStaff(readBooking, { booking_id: id }, deskRequest, dependencies)
  const view = { localizer: deskRequest.request.localizer, zone: await zoneOf(dependencies) }
  const text = refusedActionText(refusal, read.refusal ? undefined : read.result.booking, view)
  return bookingPage(id, deskRequest, dependencies, { text, isRefusal: true })
}

/**
 * Answers a buyer who reported a payment: confirms the payment, or cancels the booking. If staff have already answered,
 * refuses both actions.
 */
export async function answerPaymentClaim(
  id: string,
  name: string,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<Answer> {
  const action = paymentClaimActions[name]
  if (!action || !isAllowed(deskRequest.who, action.operation)) return missingRolePage(action?.operation, deskRequest)
  const read = await callAsStaff(readBooking, { booking_id: id }, deskRequest, dependencies)
  if (read.refusal) return undefined
  if (!isClaimOpen(read.result))
    return bookingPage(id, deskRequest, dependencies, {
      text: changedBookingText(read.result.booking, deskRequest.request.localizer),
      isRefusal: true,
    })
  const { language = 'en' } = (await dependencies.business.get())?.business ?? {}
  const reason = action.reason && (localizerFor(language) ?? englishLocalizer()).say(action.reason)
  const input = { booking_id: id, ...(reason !== undefined && { reason }) }
  return runBookingAction(action, input, deskRequest, dependencies)
}
