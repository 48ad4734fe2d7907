import type { AvailableTime } from '../../domain/availability/available-times.ts'
import type { Plan } from '../../domain/availability/service-scheduling-plan.ts'
import { readSlotId } from '../../domain/availability/time-slot-response.ts'
import { MINUTE } from '../../infra/time/time-units.ts'
import { dateIn } from '../../infra/time/time-zone.ts'
import type { Tag } from '../../protocol/keyed-digest.ts'
import { slotIdOf } from '../booking-flow/chosen-time.ts'
import { isFree, type TimeSearch } from '../booking-flow/search-free-times.ts'
import { choiceOf } from '../booking-flow/visitor-choices.ts'
import type { PageContext } from './load-booking-page-context.ts'

/**
 * Returns the search for new times of a booking that the buyer wants to move. Party size, duration and location do not
 * change. The people and rooms change only if the buyer chose others. The search excludes full times and the booking's
 * current time.
 */
export function moveSearch(
  plan: Plan,
  { booking, query, now }: Pick<PageContext, 'booking' | 'query' | 'now'>,
  tag: Tag,
): TimeSearch {
  const { record, starts_at, ends_at } = booking
  const length = nearest(plan.durations, ends_at.getTime() - starts_at.getTime())
  const choiceQuery = new URLSearchParams({ length: String(length / MINUTE), place: record.location?.id ?? '' })
  for (const name of ['day', 'from', 'with']) for (const value of query.getAll(name)) choiceQuery.append(name, value)
  const isFirstLook = !['day', 'from', 'with'].some((name) => query.has(name))
  // The first search uses the current day, people and rooms of the booking, because most buyers prefer a similar time.
  if (isFirstLook) {
    choiceQuery.set('day', dateIn(record.zone, starts_at.getTime()))
    for (const id of readSlotId(tag, record.slot_id)?.picks ?? []) choiceQuery.append('with', id)
  }
  const isWhereItIs = (time: AvailableTime) =>
    time.start === starts_at.getTime() && slotIdOf(time, plan, tag) === record.slot_id
  const choice = { ...choiceOf(plan, choiceQuery), party: record.party_size }
  return {
    choice,
    now,
    except: { kind: 'booking', id: booking.id },
    isOfUse: (time) => isFree(time) && !isWhereItIs(time),
  }
}

/**
 * Returns the duration of the service that is closest to `wanted`. The service may not offer the booking's own
 * duration, because the staff can change the end of a booking.
 */
const nearest = (lengths: readonly number[], wanted: number): number =>
  lengths.toSorted((one, other) => Math.abs(one - wanted) - Math.abs(other - wanted))[0] ?? wanted
