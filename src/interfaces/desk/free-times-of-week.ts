import { zoneOf } from '../../core/business/definition-facts.ts'
import { queryAvailability } from '../../domain/availability/query-availability.ts'
import { dateIn, daysLater } from '../../infra/time/time-zone.ts'
import type { QueryAvailability, TimeSlot } from '../../protocol/types.generated.ts'
import { callAsStaff, type DeskDependencies, type DeskRequest } from './call-operation-as-staff.ts'
import { readDay } from './local-time-input.ts'

const DAYS = 7
const MOST_TIMES = 200

/** The free slots of seven days. `earlier` and `later` are the first days of the weeks before and after. */
export interface FreeTimes {
  slots: TimeSlot[]
  zone: string
  days: string[]
  earlier: string | undefined
  later: string
}

export async function freeTimes(
  search: Pick<QueryAvailability['input'], 'service_id' | 'party_size' | 'resource_id'>,
  requestedDate: string | null,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<FreeTimes> {
  const zone = await zoneOf(dependencies)
  const today = dateIn(zone, dependencies.clock().getTime())
  const date = readDay(requestedDate) ?? today
  const range = { ...search, start_date: date, end_date: daysLater(date, DAYS - 1), limit: MOST_TIMES }
  const answer = await callAsStaff(queryAvailability, range, deskRequest, dependencies)
  return {
    slots: answer.refusal ? [] : answer.result.slots.filter(({ state }) => state !== 'waitlist'),
    zone,
    days: Array.from({ length: DAYS }, (_, nth) => daysLater(date, nth)),
    earlier: date > today ? daysLater(date, -DAYS) : undefined,
    later: daysLater(date, DAYS),
  }
}
