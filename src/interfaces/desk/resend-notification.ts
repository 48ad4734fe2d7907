import { resendNotification } from '../../domain/desk/bookings/resend-notification.ts'
import { bookingPage } from './booking-page.ts'
import { callAsStaff, type DeskDependencies, type DeskRequest, isAllowed, missingRolePage } from './desk-calls.ts'
import type { Answer } from './desk-page.ts'

export async function resendFromForm(
  id: string,
  form: URLSearchParams,
  asking: DeskRequest,
  means: DeskDependencies,
): Promise<Answer> {
  const { speech } = asking.request
  if (!isAllowed(asking.who, resendNotification)) return missingRolePage(resendNotification, asking)
  const answer = await callAsStaff(
    resendNotification,
    { booking_id: id, told_id: form.get('told') || '-' },
    asking,
    means,
  )
  if (!answer.refusal) return { to: `/desk/bookings/${encodeURIComponent(id)}` }
  return bookingPage(id, asking, means, { text: speech.say('desk.told.not'), isRefusal: true })
}
