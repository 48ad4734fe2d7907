import type { Database } from '../../../infra/db/database.ts'
import { rfc3339 } from '../../../infra/time/time-zone.ts'
import { BusinessRefusal } from '../../../protocol/errors.ts'
import { busySpans } from '../../busy-times/busy-time-queries.ts'
import { type Claim, claimsOf } from './day-schedule-queries.ts'
import { toBusy } from './day-schedule-schema.ts'

const LISTED = 50
const NAMED = 5

interface WantedTime {
  /**
   * The id of the booking, block or other object that needs the time. The refusal does not list the times that this
   * object itself occupies.
   */
  holderId: string
  resources: readonly string[]
  range: readonly [from: number, to: number]
  zone: string
  path: string
  advice: string
  /** Whether busy times of other calendars are in the way too. They are not in the way of a block. */
  heedsOtherCalendars?: boolean
}

/**
 * Makes the refusal of a request for occupied time. The refusal lists the bookings, blocks and other objects that
 * occupy the time. It shows the ids of bookings, blocks and classes, so that the staff can move or cancel them.
 */
export async function claimedTimeRefusal(
  db: Database,
  { holderId, resources, range, zone, path, advice, heedsOtherCalendars = false }: WantedTime,
  now: Date,
) {
  const claims = (await claimsOf(db, { resources, range, most: LISTED }, now)).filter(({ id }) => id !== holderId)
  const busy = heedsOtherCalendars ? await busySpans(db, { range, resources }) : []
  const taken_by = [
    ...claims.map((claim) => toTakenBy(claim, zone)),
    ...busy.map((span) => ({ kind: 'busy' as const, id: undefined, ...toBusy(span, zone) })),
  ]
  const listed = taken_by.slice(0, NAMED).map(({ kind, id, start, end }) => {
    const name = kind === 'busy' ? 'another calendar' : `a ${kind}`
    return `${id ?? name} (${start} to ${end})`
  })
  const suffix = taken_by.length > NAMED ? ' and others' : ''
  const by = listed.length > 0 ? ` by ${listed.join(', ')}${suffix}` : ''
  return new BusinessRefusal('slot_unavailable', `Part of this time is occupied${by}. ${advice}`, path, { taken_by })
}

/**
 * Describes an occupied time in an answer. The ids of holds (reservations of callers) and of waitlist offers are
 * private. Therefore the answer leaves them out.
 */
export function toTakenBy({ kind, id, resource_id, from, to, expires_at }: Claim, zone: string) {
  const isKept = kind === 'hold' || kind === 'offer'
  return {
    kind,
    ...(!isKept && { id }),
    resource_id,
    start: rfc3339(zone, from),
    end: rfc3339(zone, to),
    ...(expires_at && { expires_at: rfc3339(zone, expires_at.getTime()) }),
  }
}
