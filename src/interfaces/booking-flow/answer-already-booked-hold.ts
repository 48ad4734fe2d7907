import { canMail, willMail } from '../../core/mails/build-queued-mails.ts'
import type { Plan } from '../../domain/availability/service-scheduling-plan.ts'
import { pageUrl } from '../../domain/bookings/booking-page-links.ts'
import type { BookingRow } from '../../domain/bookings/booking-row.ts'
import { mailedBuyer } from '../../domain/bookings/notify-about-booking.ts'
import { bookingFind } from '../../domain/bookings/queries.ts'
import { digestOfForm } from '../pages/form-token.ts'
import { servicePage } from './service-page.ts'
import type { BookDependencies, StepAnswer, StepRequest } from './step-request.ts'
import { choiceOf } from './visitor-choices.ts'

/**
 * Answers a request about a hold (a reserved slot) that has become a booking. The visitor who booked gets a redirect to
 * the page of the booking. Other visitors see a note that the time is booked.
 */
export async function convertedHoldAnswer(
  plan: Plan,
  id: string,
  stepRequest: StepRequest,
  dependencies: BookDependencies,
): StepAnswer {
  const booking = await findBooking(id, dependencies)
  if (!booking) return undefined
  if (isSender(booking, stepRequest)) return { to: pageUrl('', dependencies.tag, booking, 'manage'), opened: id }
  const { query, localizer } = stepRequest
  const isMailSetUp = await canMail(dependencies)
  const isMailed = willMail(mailedBuyer(booking, 'needed'), { definition: plan.business, isMailSetUp })
  const note = localizer.say(isMailed ? 'book.booked.mailed' : 'book.booked')
  return servicePage(plan, choiceOf(plan, query), { localizer, status: 410, note }, dependencies)
}

export async function hasBooked(
  id: string,
  stepRequest: StepRequest,
  dependencies: BookDependencies,
): Promise<boolean> {
  const booking = await findBooking(id, dependencies)
  return booking !== undefined && isSender(booking, stepRequest)
}

/**
 * Whether the request comes from the visitor who booked. The token in the submitted form or a cookie can prove this.
 * The URL is no proof, because the visitor can share the URL.
 */
const isSender = ({ id, record }: BookingRow, { form, hasSent }: StepRequest) =>
  // The staff can renew the secret links of a booking. After the renewal, neither the old form token nor the old cookie
  // gives access to the booking.
  record.links_renewed === undefined && (record.sent_form === digestOfForm(form) || hasSent(id))

const findBooking = (id: string, { db }: BookDependencies) => bookingFind(db, id, undefined, { lock: false })
