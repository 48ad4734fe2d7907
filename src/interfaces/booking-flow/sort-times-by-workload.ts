import { randomInt } from 'node:crypto'
import type { AvailableTime } from '../../domain/availability/available-times.ts'
import { readOccupancy } from '../../domain/availability/find-available-times.ts'
import type { Plan } from '../../domain/availability/service-scheduling-plan.ts'
import { intersection, type Span } from '../../domain/availability/time-spans.ts'
import type { Database } from '../../infra/db/database.ts'
import { dateIn, wholeDays } from '../../infra/time/time-zone.ts'

/**
 * Sorts times with the same start. The times with the least busy people and rooms come first. Equally busy times are in
 * random order, because in a fixed order the same person would get all buyers without a preference.
 */
export async function fairestFirst(
  db: Database,
  plan: Plan,
  times: AvailableTime[],
  now: Date,
): Promise<AvailableTime[]> {
  const [first] = times
  if (!first || times.length < 2) return times
  const day = dateIn(plan.zone, first.start)
  const range = wholeDays(plan.zone, day)
  const busy = await readOccupancy(db, plan, range, { now })
  const load = ({ picks }: AvailableTime) =>
    picks.reduce((sum, id) => sum + lengthOf(intersection([range], busy.get(id)?.taken ?? [])), 0)
  const drawn = times.map((time) => ({ time, load: load(time), lot: randomInt(2 ** 32) }))
  return drawn.toSorted((one, other) => one.load - other.load || one.lot - other.lot).map(({ time }) => time)
}

const lengthOf = (spans: readonly Span[]) => spans.reduce((sum, [from, to]) => sum + to - from, 0)
