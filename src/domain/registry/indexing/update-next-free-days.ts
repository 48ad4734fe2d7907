import { sql } from 'kysely'
import type { Database, Tx } from '../../../infra/db/database.ts'
import { mapWithYields } from '../../../infra/util/yield-to-event-loop.ts'
import type { AvailabilityHint } from '../../../protocol/types.generated.ts'
import { availabilityRanking } from './availability-ranking.ts'
import { formerServicesKeep, registryStateLock } from './search-index-queries.ts'

/**
 * One transaction updates at most this many index rows. Crawls wait for the locks of this transaction, so it is short.
 */
const MOST = 500

/**
 * Updates the next free day of services in the search index. An update is due after the last start time on this day, or
 * when the availability hint expires. Without the update, searches would rank a service by a past day. This run skips
 * rows that another transaction has locked, and the next run updates them.
 */
export async function recountAvailability(db: Database, now: Date): Promise<void> {
  while ((await recountSome(db, now)) === MOST);
}

interface DueService {
  number: number
  hint: AvailabilityHint | null
  timezone: string
}

const recountSome = (db: Database, now: Date): Promise<number> =>
  db.transaction().execute(async (tx) => {
    await registryStateLock(tx)
    const { rows } = await sql<DueService>`
      select s.number, s.body -> 'availability_hint' as hint, r.timezone
      from indexed_services s join registrations r on r.id = s.registration_id
      where s.recount_at <= ${now} order by s.recount_at limit ${MOST} for update of s skip locked`.execute(tx)
    // The first computation for each time zone is slow, and listed businesses can be in all time zones. Therefore the
    // loop pauses between services and does not block the event loop.
    const counted = await mapWithYields(rows, ({ number, hint, timezone }) => ({
      number,
      ...availabilityRanking(hint ?? undefined, { timezone, now }),
    }))
    if (counted.length > 0) await rankingUpdate(tx, counted)
    return counted.length
  })

async function rankingUpdate(tx: Tx, counted: { number: number }[]): Promise<void> {
  await formerServicesKeep(tx, sql`select unnest(${counted.map(({ number }) => number)}::integer[])`)
  await sql`
    update indexed_services s set next_available_date = counted.next_available_date, ruler_from = counted.ruler_from,
      ruler_interval = counted.ruler_interval, ruler_count = counted.ruler_count, openings = counted.openings,
      recount_at = counted.recount_at
    from json_to_recordset(${JSON.stringify(counted)}::json) as counted (
      number integer, next_available_date date, ruler_from bigint, ruler_interval bigint, ruler_count bigint,
      openings int8multirange, recount_at timestamptz)
    where s.number = counted.number`.execute(tx)
}

/**
 * The index keeps former versions of services for this time, because later pages of a running search show them. The
 * time is longer than the validity of a search cursor.
 */
const KEPT = sql`interval '2 hours'`

export async function deleteFormerServices(db: Database): Promise<void> {
  await sql`delete from former_services where ended_at < now() - ${KEPT}`.execute(db)
}
