import { type Selectable, sql } from 'kysely'
import { secretDigest } from '../../core/keys/encrypt-secrets.ts'
import type { Database } from '../../infra/db/database.ts'
import type { Blocks, CalendarFeeds, Sessions } from '../../infra/db/schema.generated.ts'
import type { BookingRow } from '../bookings/booking-row.ts'

export type FeedRow = Omit<Selectable<CalendarFeeds>, 'token_hash'>

const columns = ['id', 'resource_id', 'staff_id', 'created_at'] as const

export async function feedInsert(tx: Database, feed: FeedRow, token: string): Promise<void> {
  await tx
    .insertInto('calendar_feeds')
    .values({ ...feed, token_hash: secretDigest(token) })
    .execute()
}

export async function feedOfToken(db: Database, token: string): Promise<FeedRow | undefined> {
  return db
    .selectFrom('calendar_feeds')
    .select(columns)
    .where('token_hash', '=', secretDigest(token))
    .executeTakeFirst()
}

export async function feedList(db: Database): Promise<FeedRow[]> {
  return db.selectFrom('calendar_feeds').select(columns).orderBy('created_at').orderBy('id').execute()
}

export async function feedDelete(tx: Database, id: string): Promise<FeedRow | undefined> {
  return tx.deleteFrom('calendar_feeds').where('id', '=', id).returning(columns).executeTakeFirst()
}

export interface Agenda {
  /** The bookings in the calendar of the staff. The list includes bookings of classes, but no canceled bookings. */
  bookings: BookingRow[]
  sessions: Selectable<Sessions>[]
  blocks: Selectable<Blocks>[]
}

export async function agendaSince(db: Database, since: Date, resource: string | null): Promise<Agenda> {
  const has = resource === null ? sql`true` : sql`resource_ids @> array[${resource}]::text[]`
  const bookings = sql<BookingRow>`
    select * from bookings
    where tstzrange(starts_at, ends_at) && tstzrange(${since}, null) and status <> 'canceled'
      and (${has} or session_id in (select id from sessions where ${has}))
    order by starts_at, id`.execute(db)
  const sessions = sql<Selectable<Sessions>>`
    select * from sessions
    where ends_at > ${since} and canceled_at is null and ${has}
      and (wanted or exists (select from bookings where session_id = sessions.id and status <> 'canceled'))
    order by starts_at, id`.execute(db)
  const blocks = sql<Selectable<Blocks>>`
    select * from blocks where ends_at > ${since} ${resource === null ? sql`` : sql`and resource_id = ${resource}`}
    order by starts_at, id`.execute(db)
  return { bookings: (await bookings).rows, sessions: (await sessions).rows, blocks: (await blocks).rows }
}
