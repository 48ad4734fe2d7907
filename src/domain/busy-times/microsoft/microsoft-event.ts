import { startOfDay } from '../../../infra/time/time-zone.ts'
import { asRecord } from '../../../infra/util/object-members.ts'
import type { ProviderEvent } from '../oauth/provider-report.ts'
import type { Span } from '../reader/busy-time-list.ts'

/** The members of an event that the server asks for. None of them contains a text of the event. */
export const EVENT_MEMBERS = 'id,seriesMasterId,iCalUId,start,end,isAllDay,isCancelled,showAs,responseStatus'
const MAX_ID_CHARACTERS = 1_000

/** Returns undefined if this is no event. */
export function microsoftEvent(item: unknown, zone: string): ProviderEvent | undefined {
  const event = asRecord(item)
  const { id, seriesMasterId: series, iCalUId: uid } = event
  if (!isId(id)) return undefined
  return {
    id,
    series: isId(series) ? series : id,
    uid: typeof uid === 'string' ? originalUid(uid) : '',
    span: isBlocking(event) ? spanOf(event, zone) : null,
  }
}

const isId = (id: unknown): id is string => typeof id === 'string' && id !== '' && id.length <= MAX_ID_CHARACTERS

/** An event that is canceled, shown as free or as working elsewhere, or declined by the person does not block time. */
function isBlocking({ isCancelled, showAs, responseStatus }: Readonly<Record<string, unknown>>): boolean {
  const { response } = asRecord(responseStatus)
  return isCancelled !== true && showAs !== 'free' && showAs !== 'workingElsewhere' && response !== 'declined'
}

function spanOf({ start, end, isAllDay }: Readonly<Record<string, unknown>>, zone: string): Span | undefined {
  const [from, to] = [instantOf(asRecord(start)), instantOf(asRecord(end))]
  if (from === undefined || to === undefined) return undefined
  // A whole day is the day of the business, whatever the time zone of the account is.
  return isAllDay === true ? [dayAt(from, zone), dayAt(to, zone)] : [from, to]
}

const dayAt = (instant: number, zone: string): number => startOfDay(zone, new Date(instant).toISOString().slice(0, 10))

/** The server asks for all times in UTC. */
function instantOf({ dateTime, timeZone }: Readonly<Record<string, unknown>>): number | undefined {
  if (timeZone !== 'UTC' || typeof dateTime !== 'string') return undefined
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?$/.test(dateTime)) return undefined
  const instant = Date.parse(`${dateTime.slice(0, 19)}Z`)
  return Number.isNaN(instant) ? undefined : instant
}

const FOREIGN = 'vCal-Uid'

/** Exchange writes the UID of an invitation from another program into its own id, in hexadecimal form. */
function originalUid(uid: string): string {
  if (!/^([0-9a-f]{2}){20,500}$/i.test(uid)) return uid
  const id = Buffer.from(uid, 'hex')
  const at = id.indexOf(FOREIGN)
  // The text is followed by a number of four bytes, and the UID by a zero.
  return at === -1
    ? uid
    : (id
        .subarray(at + FOREIGN.length + 4)
        .toString('latin1')
        .split('\0')[0] ?? uid)
}
