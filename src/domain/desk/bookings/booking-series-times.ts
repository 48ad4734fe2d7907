import { DAY } from '../../../infra/time/time-units.ts'
import { instantOf, offsetAt, rfc3339 } from '../../../infra/time/time-zone.ts'
import type { Context } from '../../../protocol/define-operation.ts'
import { isRefusal } from '../../../protocol/errors.ts'
import { availableTimes } from '../../availability/available-times.ts'
import { readOccupancy } from '../../availability/find-available-times.ts'
import type { BookingRow } from '../../bookings/booking-row.ts'
import { resolveSlotOf } from './resolve-requested-slot.ts'

/** A series has at most this many bookings, which is enough for a weekly booking for one year. */
export const MOST_TIMES = 52

/**
 * The start times of the second and all later bookings of a series: one every `weeks` weeks, at the same local time.
 */
export const startsOfSeries = (zone: string, start: number, { weeks, times }: { weeks: number; times: number }) =>
  Array.from({ length: times }, (_, nth) =>
    instantOf(zone, start + offsetAt(zone, start) + 7 * weeks * (nth + 1) * DAY),
  )

/**
 * Finds the slot for the booking at another start, with the same duration, location and chosen resources. The booking
 * window does not apply.
 */
export const slotAt = (context: Pick<Context, 'db' | 'business' | 'tag' | 'now'>, booking: BookingRow, start: number) =>
  resolveSlotOf(context, booking, { start: rfc3339(booking.record.zone, start), override: ['booking_window'] })

/** Returns the reason why the booking cannot begin at this start. Returns undefined if it can. */
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
