import { zoneOf } from '../../core/business/definition-facts.ts'
import { queryAvailability } from '../../domain/availability/query-availability.ts'
import { dateIn, daysLater } from '../../infra/time/time-zone.ts'
import type { QueryAvailability, TimeSlot } from '../../protocol/types.generated.ts'
import { callAsStaff, type DeskDependencies, type DeskRequest } from './call-operation-as-staff.ts'
import { readDay } from './local-time-input.ts'

const DAYS = 7
const MOST_TIMES = 200

/** The free slots of seven days. `earlier` and `later` are the first days of the weeks before and after these days. */
export interface FreeTimes {
  slots: TimeSlot[]
  zone: string
  days: string[]
  /** The first day whose slots are not in `slots`, because the list would be too long. */
  firstUnread: string | undefined
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
  const { slots: found, pagination } = answer.refusal ? { slots: [] } : answer.result
  const last = pagination?.has_more ? found.at(-1) : undefined
  const lastDay = last && dateIn(zone, Date.parse(last.start))
  // The slots of the last day may be incomplete, so the page shows this day as not read. If it is also the first day,
  // the page shows its first slots, because they are better than none.
  const firstUnread = lastDay === date ? daysLater(date, 1) : lastDay
  const isRead = ({ start }: TimeSlot) => firstUnread === undefined || dateIn(zone, Date.parse(start)) < firstUnread
  return {
    slots: found.filter((slot) => slot.state !== 'waitlist' && isRead(slot)),
    zone,
    firstUnread,
    days: Array.from({ length: DAYS }, (_, nth) => daysLater(date, nth)),
    earlier: date > today ? daysLater(date, -DAYS) : undefined,
    later: daysLater(date, DAYS),
  }
}
