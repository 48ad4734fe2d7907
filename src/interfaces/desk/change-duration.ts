import { zoneOf } from '../../core/business/definition.ts'
import { adjust } from '../../domain/desk/bookings/adjust.ts'
import { readBooking } from '../../domain/desk/bookings/read-booking.ts'
import { rfc3339 } from '../../infra/time/zone.ts'
import type { Booking } from '../../protocol/types.generated.ts'
import { bookingPage } from './booking-page.ts'
import { callAsStaff, type DeskDependencies, type DeskRequest, isAllowed, missingRolePage } from './desk-calls.ts'
import type { Answer } from './desk-page.ts'
import { readLocalInput } from './local-time.ts'
import { explainUnavailableTime } from './unavailable-time.ts'

/** Changes the end of a booking. After a refusal the page names the bookings, blocks and holds in the way. */
export async function changeDuration(
  id: string,
  form: URLSearchParams,
  asking: DeskRequest,
  means: DeskDependencies,
): Promise<Answer> {
  if (!isAllowed(asking.who, adjust)) return missingRolePage(adjust, asking)
  const before = await callAsStaff(readBooking, { booking_id: id }, asking, means)
  if (before.refusal) return undefined
  const { booking } = before.result
  const zone = await zoneOf(means)
  const end = readLocalInput(zone, form.get('end') ?? '')
  const answer = await callAsStaff(adjust, { booking_id: id, end: end ? rfc3339(zone, end) : '' }, asking, means)
  if (!answer.refusal) return { to: `/desk/bookings/${booking.id}` }
  const wanted = { from: Date.parse(booking.slot.end), to: end ?? 0, resources: idsOf(booking) }
  const text =
    answer.refusal.code === 'slot_unavailable'
      ? await explainUnavailableTime(answer.refusal, wanted, asking, means)
      : asking.request.speech.say('desk.length.wrong')
  return bookingPage(id, asking, means, { text, isRefusal: true })
}

const idsOf = ({ resources = [] }: Booking) => resources.flatMap(({ id }) => id ?? [])
