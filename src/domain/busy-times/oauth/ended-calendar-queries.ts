import { sql } from 'kysely'
import { isFree, LEASED } from '../../../core/jobs/row-lease.ts'
import type { CalendarProvider } from '../../../infra/config/calendar-providers.ts'
import type { Database } from '../../../infra/db/database.ts'
import type { Channel } from './channels.ts'

/** A disconnected account at a provider. The address contains the encrypted access. */
export interface EndedCalendar {
  id: string
  provider: CalendarProvider
  address: Buffer
  channels: Record<string, Channel>
  /** The number of this attempt. */
  begun: number
}

/** The pauses after each attempt but the last. The server deletes the access after the last attempt in any case. */
const PAUSES = ['1 minute', '10 minutes', '1 hour', '4 hours']
export const MAX_ATTEMPTS = PAUSES.length + 1

/** Stores the access of the sources, which are deleted now. A background worker then ends it at the provider. */
export async function endedInsert(tx: Database, sources: readonly string[], now: Date): Promise<void> {
  await sql`
    insert into ended_calendars (id, provider, address, channels, next_at)
    select gen_random_uuid()::text, kind, address, coalesce(sync_state -> 'channels', '{}'), ${now} from calendar_sources
    where id = any (${sources}::text[]) and kind in ('google', 'microsoft')`.execute(tx)
}

/** Leases at most `most` due accounts. Deletes those whose last attempt has crashed its process. */
export async function endedLease(db: Database, most: number, now: Date): Promise<EndedCalendar[]> {
  const { rows } = await sql<EndedCalendar>`
    with crashed as (
      delete from ended_calendars e where e.begun >= ${MAX_ATTEMPTS} and ${isFree('e')}
    ), due as (
      select e.id from ended_calendars e where e.begun < ${MAX_ATTEMPTS} and e.next_at <= ${now} and ${isFree('e')}
      order by e.next_at, e.id limit ${most} for update skip locked
    )
    update ended_calendars e set leased_until = ${LEASED}, begun = e.begun + 1,
      next_at = ${now}::timestamptz + coalesce((${PAUSES}::text[])[e.begun + 1], '0')::interval
    from due where e.id = due.id
    returning e.id, e.provider, e.address, e.channels, e.begun`.execute(db)
  return rows
}

export async function endedDelete(db: Database, id: string): Promise<void> {
  await db.deleteFrom('ended_calendars').where('id', '=', id).execute()
}

/** Lists all accounts, and lets no other transaction change one until this one ends. */
export const endedLock = (tx: Database): Promise<Pick<EndedCalendar, 'id' | 'address'>[]> =>
  tx.selectFrom('ended_calendars').select(['id', 'address']).forUpdate().execute()

export async function endedReplace(tx: Database, id: string, address: Buffer): Promise<void> {
  await tx.updateTable('ended_calendars').set({ address }).where('id', '=', id).execute()
}
