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

/**
 * Tells why a booking with the person or room cannot start at the time. Returns undefined if the time is free in the
 * day view. Returns `unknown` if the day view cannot tell.
 */
export function obstacleAt(
  plan: Plan,
  { from, person }: { from: number; person: string | null },
  { day, entries }: StaffDay,
): 'unknown' | 'away' | 'taken' | undefined {
  const found = day.resources.find(({ id }) => id === person)
  if (!found || plan.service.type === 'group') return 'unknown'
  const to = from + lengthAt(plan, person)
  if (!spansOf(found.there).some(([opens, closes]) => opens <= from && to <= closes)) return 'away'
  const isTaken = (entries.get(found.id) ?? []).some(
    (one) => one.from - one.before < to + plan.after && one.to + one.after > from - plan.before,
  )
  return isTaken ? 'taken' : undefined
}

export const lengthAt = (plan: Plan, person: string | null) =>
  durationWith(plan, person === null ? [] : [person]) ?? plan.durations[0] ?? 0
