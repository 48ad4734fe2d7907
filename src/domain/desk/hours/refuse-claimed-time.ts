import type { Database } from '../../../infra/db/database.ts'
import { rfc3339 } from '../../../infra/time/time-zone.ts'
import { BusinessRefusal } from '../../../protocol/errors.ts'
import { type Claim, claimsOf } from './day-schedule-queries.ts'

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
}

/**
 * Makes the refusal of a request for occupied time. The refusal lists the bookings, blocks and other objects that
 * occupy the time. It shows the ids of bookings, blocks and classes, so that the staff can move or cancel them.
 */
export async function claimedTimeRefusal(
  db: Database,
  { holderId, resources, range, zone, path, advice }: WantedTime,
  now: Date,
) {
  const claims = (await claimsOf(db, { resources, range, most: LISTED }, now)).filter(({ id }) => id !== holderId)
  const taken_by = claims.map((claim) => toTakenBy(claim, zone))
  const listed = taken_by.slice(0, NAMED).map(({ kind, id, start, end }) => `${id ?? `a ${kind}`} (${start} to ${end})`)
  const suffix = claims.length > NAMED ? ' and others' : ''
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
