import { resendNotification } from '../../domain/desk/bookings/resend-notification.ts'
import { bookingPage } from './booking-page.ts'
import {
  callAsStaff,
  type DeskDependencies,
  type DeskRequest,
  isAllowed,
  missingRolePage,
} from './call-operation-as-staff.ts'
import type { Answer } from './desk-page.ts'

export async function resendFromForm(
  id: string,
  form: URLSearchParams,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<Answer> {
  const { localizer } = deskRequest.request
  if (!isAllowed(deskRequest.who, resendNotification)) return missingRolePage(resendNotification, deskRequest)
  const answer = await callAsStaff(
    resendNotification,
    { booking_id: id, told_id: form.get('told') || '-' },
    deskRequest,
    dependencies,
  )
  if (!answer.refusal) return { to: `/desk/bookings/${encodeURIComponent(id)}` }
  return bookingPage(id, deskRequest, dependencies, { text: localizer.say('desk.told.not'), isRefusal: true })
}
