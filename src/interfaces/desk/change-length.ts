import { zoneOf } from '../../core/business/zone-of.ts'
import { adjust } from '../../domain/desk/bookings/adjust.ts'
import { readBooking } from '../../domain/desk/bookings/read-booking.ts'
import { written } from '../../infra/time/zone.ts'
import type { Booking } from '../../protocol/types.generated.ts'
import { bookingPage } from './booking-page.ts'
import { type Asking, ask, type DeskMeans, may } from './desk-calls.ts'
import type { Answer } from './desk-page.ts'
import { instantSaid } from './local-time.ts'
import { mayNot } from './may-not.ts'
import { refusedTime } from './refused-time.ts'

/** Changes the end of a booking. After a refusal the page names the bookings, blocks and holds in the way. */
export async function lengthChosen(
  id: string,
  form: URLSearchParams,
  asking: Asking,
  means: DeskMeans,
): Promise<Answer> {
  if (!may(asking.who, adjust)) return mayNot(adjust, asking)
  const before = await ask(readBooking, { booking_id: id }, asking, means)
  if (before.refusal) return undefined
  const { booking } = before.result
  const zone = await zoneOf(means)
  const end = instantSaid(zone, form.get('end') ?? '')
  const answer = await ask(adjust, { booking_id: id, end: end ? written(zone, end) : '' }, asking, means)
  if (!answer.refusal) return { to: `/desk/bookings/${booking.id}` }
  const wanted = { from: Date.parse(booking.slot.end), to: end ?? 0, resources: idsOf(booking) }
  const text =
    answer.refusal.code === 'slot_unavailable'
      ? await refusedTime(answer.refusal, wanted, asking, means)
      : asking.request.speech.say('desk.length.wrong')
  return bookingPage(id, asking, means, { text, isRefusal: true })
}

const idsOf = ({ resources = [] }: Booking) => resources.flatMap(({ id }) => id ?? [])
