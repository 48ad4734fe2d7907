import { DAY } from '../../infra/time/units.ts'
import type { SearchedTime } from './available-times.ts'
import type { Occupancy } from './occupancy.ts'
import { type Plan, seatsOf } from './plan.ts'

/**
 * For each requirement that the business assigns: the suitable resources, smallest first, then the least used around that
 * day.
 */
export function rankCandidates(plan: Plan, busy: Occupancy, { start, choices, scheduled }: SearchedTime): string[][] {
  const working = new Map(scheduled?.working.flat().map((one) => [one.id, one]))
  const seats = (id: string) => {
    const one = working.get(id)
    return one ? seatsOf(plan, one) : 0
  }
  const used = (id: string) => (busy.get(id)?.taken ?? []).filter(([from]) => Math.abs(from - start) < DAY / 2).length
  return choices().map((ids) =>
    ids
      .map((id) => ({ id, seats: seats(id), used: used(id) }))
      .sort((one, other) => one.seats - other.seats || one.used - other.used)
      .map(({ id }) => id),
  )
}
