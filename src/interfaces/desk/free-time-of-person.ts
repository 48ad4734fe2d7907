import { assignDistinct } from '../../domain/availability/assign-distinct-resources.ts'
import { durationWith } from '../../domain/availability/service-durations.ts'
import type { Plan } from '../../domain/availability/service-scheduling-plan.ts'
import { readWholeDay } from '../../domain/desk/hours/read-day-of-business.ts'
import { callAsStaff, type DeskDependencies, type DeskRequest } from './call-operation-as-staff.ts'
import { spansOf } from './day-columns.ts'
import { type Day, type DayEntry, dayEntries, entriesByResource } from './day-entries.ts'

/** One day with the entries of each person and room. */
export interface StaffDay {
  day: Day
  entries: ReadonlyMap<string, DayEntry[]>
}

export async function readStaffDay(
  date: string,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<StaffDay | undefined> {
  const answer = await callAsStaff(readWholeDay, { date }, deskRequest, dependencies)
  if (answer.refusal) return undefined
  const entries = await dayEntries(answer.result, await dependencies.business.get(), deskRequest.request.localizer)
  return { day: answer.result, entries: entriesByResource(entries) }
}

type Obstacle = 'away' | 'taken'

/**
 * Tells why a booking with the person or room cannot start at the time. Returns undefined if the time is free in the
 * day view, also for the rooms and the equipment that the service needs. Returns `unknown` if the day view cannot tell.
 */
export function obstacleAt(
  plan: Plan,
  { from, person }: { from: number; person: string | null },
  staffDay: StaffDay,
): 'unknown' | 'other taken' | Obstacle | undefined {
  const found = staffDay.day.resources.find(({ id }) => id === person)
  if (!found || plan.service.type === 'group') return 'unknown'
  const time = { from, to: from + lengthAt(plan, person) }
  const obstacle = obstacleOf(found, plan, time, staffDay)
  if (obstacle) return obstacle
  const free = new Set(
    staffDay.day.resources.filter((one) => obstacleOf(one, plan, time, staffDay) === undefined).map(({ id }) => id),
  )
  const needed = plan.requirements.map(({ candidates }) => {
    const ids = candidates.map(({ id }) => id)
    return ids.includes(found.id) ? [found.id] : ids.filter((id) => free.has(id))
  })
  return assignDistinct(needed) ? undefined : 'other taken'
}

function obstacleOf(
  { id, there }: Day['resources'][number],
  plan: Plan,
  { from, to }: { from: number; to: number },
  { entries }: StaffDay,
): Obstacle | undefined {
  if (!spansOf(there).some(([opens, closes]) => opens <= from && to <= closes)) return 'away'
  const isTaken = (entries.get(id) ?? []).some(
    (one) => one.from - one.before < to + plan.after && one.to + one.after > from - plan.before,
  )
  return isTaken ? 'taken' : undefined
}

export const lengthAt = (plan: Plan, person: string | null) =>
  durationWith(plan, person === null ? [] : [person]) ?? plan.durations[0] ?? 0
