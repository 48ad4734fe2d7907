import type { AvailableTime } from '../../domain/availability/available-times.ts'
import type { Plan } from '../../domain/availability/plan.ts'
import { readSlotId } from '../../domain/availability/slot-id.ts'
import { MINUTE } from '../../infra/time/units.ts'
import { dateIn } from '../../infra/time/zone.ts'
import type { Tag } from '../../protocol/tags.ts'
import { choiceOf } from '../booking-flow/choice.ts'
import { slotIdOf } from '../booking-flow/chosen-time.ts'
import { isFree, type Wish } from '../booking-flow/free-times.ts'
import type { PageContext } from './page-context.ts'

/**
 * Other times for a booking: for as many, as long and at the same place; with the same people unless others are asked for. It
 * takes no place in a waitlist, and where it is already it need not go.
 */
export function moveWish(
  plan: Plan,
  { booking, query, now }: Pick<PageContext, 'booking' | 'query' | 'now'>,
  tag: Tag,
): Wish {
  const { record, starts_at, ends_at } = booking
  const length = nearest(plan.durations, ends_at.getTime() - starts_at.getTime())
  const asked = new URLSearchParams({ length: String(length / MINUTE), place: record.location?.id ?? '' })
  for (const name of ['day', 'from', 'with']) for (const value of query.getAll(name)) asked.append(name, value)
  const isFirstLook = !['day', 'from', 'with'].some((name) => query.has(name))
  // Whoever moves a booking mostly stays near its day, and with the same people.
  if (isFirstLook) {
    asked.set('day', dateIn(record.zone, starts_at.getTime()))
    for (const id of readSlotId(tag, record.slot_id)?.picks ?? []) asked.append('with', id)
  }
  const isWhereItIs = (time: AvailableTime) =>
    time.start === starts_at.getTime() && slotIdOf(time, plan, tag) === record.slot_id
  const choice = { ...choiceOf(plan, asked), party: record.party_size }
  return {
    choice,
    now,
    except: { kind: 'booking', id: booking.id },
    isOfUse: (time) => isFree(time) && !isWhereItIs(time),
  }
}

/** The staff may have let it end earlier or later. */
const nearest = (lengths: readonly number[], wanted: number): number =>
  lengths.toSorted((one, other) => Math.abs(one - wanted) - Math.abs(other - wanted))[0] ?? wanted
