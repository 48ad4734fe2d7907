import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'

/**
 * SQL for the end time of a new lease (the exclusive right to work on a row). The database computes the time, because
 * the clocks of servers differ. A running process renews its leases. Therefore a lease expires only after its process
 * has died.
 */
export const LEASED = sql<Date>`now() + interval '5 seconds'`

export const RENEWED_EVERY_MS = 1_000

/**
 * Extends the leases of queue rows. The query skips locked rows: another query can lock the rows in another order, so
 * waiting for its locks could cause a deadlock.
 */
export async function renewLeases(
  db: Database,
  queue: 'mails' | 'deliveries' | 'push_messages' | 'calendar_sources' | 'calendar_writers' | 'ended_calendars',
  rows: readonly { id: string }[],
): Promise<void> {
  const [table, ids] = [sql.table(queue), rows.map(({ id }) => id)]
  await sql`update ${table} set leased_until = ${LEASED}
    where id in (select id from ${table} where id = any(${ids}) and leased_until is not null
      for no key update skip locked)`.execute(db)
}

/**
 * SQL condition for a queue row that no process works on now. `column` contains the end time of the row's last lease.
 */
export const isFree = (table: string, column = 'leased_until') => {
  const until = sql.ref(`${table}.${column}`)
  return sql<boolean>`(${until} is null or ${until} <= now())`
}

/**
 * If the work on a queue row crashes its process this number of times, the row must wait before the next try. Work that
 * started but never ended counts as a crash.
 */
const MAX_CRASHED_STARTS = 3

export const hasFewStarts = (begun: RawBuilder<unknown>) => sql<boolean>`${begun} < ${sql.lit(MAX_CRASHED_STARTS)}`

/**
 * SQL for the time when a queue row is due again after a crash of its process. After the third crash, the row waits 15
 * seconds. Each later crash doubles the wait, up to one day. The server never gives the row up, because most crashes
 * have another cause than the row.
 */
export const dueAfterCrash = (due: RawBuilder<unknown>, begun: RawBuilder<unknown>, now: Date) =>
  sql<Date>`case when ${begun} < ${sql.lit(MAX_CRASHED_STARTS - 1)} then ${due}
    else ${now}::timestamptz + least(interval '1 day', interval '15 seconds' * power(2, least(${begun} - ${sql.lit(MAX_CRASHED_STARTS - 1)}, 13))) end`
