import { DAY } from '../../../infra/time/time-units.ts'
import { instantOf, offsetAt, rfc3339 } from '../../../infra/time/time-zone.ts'
import type { Context } from '../../../protocol/define-operation.ts'
import { isRefusal } from '../../../protocol/errors.ts'
import { availableTimes } from '../../availability/available-times.ts'
import { readOccupancy } from '../../availability/find-available-times.ts'
import type { BookingRow } from '../../bookings/booking-row.ts'
import { resolveSlotOf } from './resolve-requested-slot.ts'

/** A series (a repeated booking) has at most this many bookings, which is enough for a weekly booking for one year. */
export const MOST_TIMES = 52

/**
 * Computes the start times of the repetitions of a booking. The repetitions follow each other after `weeks` weeks, at
 * the same local time.
 */
export const startsOfSeries = (zone: string, start: number, { weeks, times }: { weeks: number; times: number }) =>
  Array.from({ length: times }, (_, nth) =>
    instantOf(zone, start + offsetAt(zone, start) + 7 * weeks * (nth + 1) * DAY),
  )

/**
 * Finds a slot at another start for a repetition of the booking. The duration, location and chosen resources stay the
 * same. The limits on how early or late buyers can book do not apply.
 */
export const slotAt = (context: Pick<Context, 'db' | 'business' | 'tag' | 'now'>, booking: BookingRow, start: number) =>
  resolveSlotOf(context, booking, { start: rfc3339(booking.record.zone, start), override: ['booking_window'] })

/**
 * Returns the reason why the booking cannot be repeated at this start time. The result is undefined if the booking can
 * be repeated.
 */
export async function whyNot(context: Context, booking: BookingRow, start: number): Promise<string | undefined> {
  const { party_size: party } = booking.record
  try {
    const { plan, time } = (await slotAt(context, booking, start)).slot
    if (plan.service.type === 'group') {
      const left = time.capacity?.remaining ?? party
      return left < party ? `This class has ${left} places left.` : undefined
    }
    const span = [time.start, time.start + 1] as const
    const busy = await readOccupancy(context.db, plan, span, { now: context.now })
    const isSame = ({ end, location, capacity }: typeof time) =>
      end === time.end && location === time.location && capacity?.remaining !== 0
    return availableTimes(plan, busy, span, party).some(isSame) ? undefined : 'This time is occupied.'
  } catch (error) {
    if (isRefusal(error)) return error.message
    throw error
  }
}
