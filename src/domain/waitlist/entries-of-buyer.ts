import { sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'
import { type EntryRow, entryState, position } from './queries.ts'

interface Query {
  /** The buyer's email address, in lower case. */
  email: string
  after: string | undefined
  limit: number
}

/**
 * Finds all waitlist entries with this email address that still wait or have an offer. The result includes the entries
 * of all callers, oldest first.
 */
export async function entriesOfBuyer(
  db: Database,
  { email, after, limit }: Query,
  now: Date,
): Promise<(EntryRow & { ends_at: Date | null })[]> {
  const { rows } = await sql<EntryRow & { ends_at: Date | null }>`
    select e.*, ${position(now)} as position from waitlist_entries e
    where lower(e.buyer ->> 'email') = ${email} and ${entryState(now)} in ('waiting', 'offered')
      ${after === undefined ? sql`` : sql`and e.number > ${after}::bigint`}
    order by e.number limit ${limit}`.execute(db)
  return rows
}
