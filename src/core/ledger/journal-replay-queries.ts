import { sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'

const PAGE = 10_000

/**
 * Yields all rows of a table in the order of their keys. The function `page` reads the next page: the rows after a
 * given key.
 */
async function* rowsOf<T extends { key: string }>(start: string, page: (after: string) => Promise<T[]>) {
  for (let after = start, more = true; more; ) {
    const rows = await page(after)
    yield* rows
    after = rows.at(-1)?.key ?? after
    more = rows.length === PAGE
  }
}

export interface Claimed {
  key: string
  claim: string
  resource: string
  from: number
  to: number
  holder: string
}

const claimed = sql`resource_id as resource, holder_kind || ' ' || holder_id as holder,
  coalesce(extract(epoch from lower(during)), '-infinity')::float8 * 1000 as from,
  coalesce(extract(epoch from upper(during)), 'infinity')::float8 * 1000 as to`

export const claimEntries = (db: Database) =>
  rowsOf('0', async (after) => {
    const { rows } = await sql<Claimed & { event: 'taken' | 'ended' }>`
      select number as key, claim_id as claim, event, ${claimed} from claim_journal
      where number > ${after}::bigint order by number limit ${PAGE}`.execute(db)
    return rows
  })

export const allClaims = (db: Database) =>
  rowsOf('0', async (after) => {
    const { rows } = await sql<Claimed>`
      select id as key, id as claim, ${claimed} from claims
      where id > ${after}::bigint order by id limit ${PAGE}`.execute(db)
    return rows
  })

export interface SeatEntry {
  key: string
  session: string
  event: 'taken' | 'ended' | 'capacity'
  spots: number
}

export const seatEntries = (db: Database) =>
  rowsOf('0', async (after) => {
    const { rows } = await sql<SeatEntry>`
      select number as key, session_id as session, event, spots from seat_journal
      where number > ${after}::bigint order by number limit ${PAGE}`.execute(db)
    return rows
  })

export interface SessionTotal {
  key: string
  capacity: number
  taken: number
}

export const allSessions = (db: Database) =>
  rowsOf('', async (after) => {
    const { rows } = await sql<SessionTotal>`
      select id as key, capacity,
        (select coalesce(sum(spots), 0)::integer from seats where session_id = sessions.id) as taken
      from sessions where id > ${after} order by id limit ${PAGE}`.execute(db)
    return rows
  })
