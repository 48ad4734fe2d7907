import { isCalendarDay, startOfDay } from '../../../infra/time/time-zone.ts'
import { asRecord } from '../../../infra/util/object-members.ts'
import type { ProviderEvent } from '../oauth/provider-report.ts'
import type { Span } from '../reader/busy-time-list.ts'

export interface GoogleEvent extends ProviderEvent {
  isRepeating: boolean
  isCancelled: boolean
}

/** The members of an event that the server asks for. */
export const EVENT_FIELDS =
  'id,status,iCalUID,recurringEventId,recurrence,transparency,start,end,attendees(self,responseStatus)'

const MAX_ID_CHARACTERS = 1_100

/** Returns undefined if this is no event. */
export function googleEvent(item: unknown, zone: string): GoogleEvent | undefined {
  const event = asRecord(item)
  const { id, recurringEventId: series, status, iCalUID: uid } = event
  if (!isId(id) || (series !== undefined && !isId(series))) return undefined
  return {
    id,
    series: series ?? id,
    isRepeating: series !== undefined || event.recurrence !== undefined,
    isCancelled: status === 'cancelled',
    uid: typeof uid === 'string' ? uid : '',
    span: isBlocking(event) ? spanOf(event, zone) : null,
  }
}

const isId = (id: unknown): id is string => typeof id === 'string' && id !== '' && id.length <= MAX_ID_CHARACTERS

/** An event that is canceled, marked as free, or declined by the person does not block time. */
function isBlocking({ status, transparency, attendees }: Readonly<Record<string, unknown>>): boolean {
  const person = Array.isArray(attendees) ? attendees.map(asRecord).find(({ self }) => self === true) : undefined
  return status !== 'cancelled' && transparency !== 'transparent' && person?.responseStatus !== 'declined'
}

function spanOf({ start, end }: Readonly<Record<string, unknown>>, zone: string): Span | undefined {
  const [from, to] = [instantOf(asRecord(start), zone), instantOf(asRecord(end), zone)]
  return from === undefined || to === undefined ? undefined : [from, to]
}

/** Google sends days as `date`, and times with their difference from UTC as `dateTime`. */
function instantOf({ date, dateTime }: Readonly<Record<string, unknown>>, zone: string): number | undefined {
  if (typeof date === 'string') return isCalendarDay(date) ? startOfDay(zone, date) : undefined
  if (typeof dateTime !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/.test(dateTime))
    return undefined
  const instant = Date.parse(dateTime)
  return Number.isNaN(instant) ? undefined : instant
}
