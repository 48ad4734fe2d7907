import { zoneOf } from '../../core/business/definition-facts.ts'
import { adjust } from '../../domain/desk/bookings/change-booking-end.ts'
import { readBooking } from '../../domain/desk/bookings/read-booking.ts'
import { rfc3339 } from '../../infra/time/time-zone.ts'
import type { Booking } from '../../protocol/types.generated.ts'
import { bookingPage } from './booking-page.ts'
import {
  callAsStaff,
  type DeskDependencies,
  type DeskRequest,
  isAllowed,
  missingRolePage,
} from './call-operation-as-staff.ts'
import type { Answer } from './desk-page.ts'
import { explainUnavailableTime } from './explain-unavailable-time.ts'
import { readLocalInput } from './local-time-input.ts'

/**
 * Changes the end of a booking. If the server refuses the change, the page lists the bookings, blocked times and holds
 * (reserved slots) that prevent the change.
 */
export async function changeDuration(
  id: string,
  form: URLSearchParams,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<Answer> {
  if (!isAllowed(deskRequest.who, adjust)) return missingRolePage(adjust, deskRequest)
  const before = await callAsStaff(readBooking, { booking_id: id }, deskRequest, dependencies)
  if (before.refusal) return undefined
  const { booking } = before.result
  const zone = await zoneOf(dependencies)
  const end = readLocalInput(zone, form.get('end') ?? '')
  const answer = await callAsStaff(
    adjust,
    { booking_id: id, end: end ? rfc3339(zone, end) : '' },
    deskRequest,
    dependencies,
  )
  if (!answer.refusal) return { to: `/desk/bookings/${booking.id}` }
  const wantedTime = { from: Date.parse(booking.slot.end), to: end ?? 0, resources: idsOf(booking) }
  const text =
    answer.refusal.code === 'slot_unavailable'
      ? await explainUnavailableTime(answer.refusal, wantedTime, deskRequest, dependencies)
      : deskRequest.request.localizer.say('desk.length.wrong')
  return bookingPage(id, deskRequest, dependencies, { text, isRefusal: true })
}

const idsOf = ({ resources = [] }: Booking) => resources.flatMap(({ id }) => id ?? [])
