import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { deleteUnusedPrincipals } from '../../src/core/authentication/bind-key-to-profile.ts'
import { deleteOldEvents, deleteOldReceivers } from '../../src/core/events/delete-old-events.ts'
import { deleteExpiredReplies } from '../../src/core/records/stored-replies.ts'
import { deleteOldSubscriptions } from '../../src/domain/feed/queries.ts'
import { openDatabase } from '../../src/infra/db/database.ts'
import { freshDatabase } from '../support/database.ts'

const db = openDatabase(await freshDatabase(), 2, () => {})
const now = new Date()

test.each([
  [
    'events',
    deleteOldEvents,
    sql`insert into events (id, type, subject, body, at)
    select 'evt_' || n, 'booking.canceled', 'booking b', '{}', now() - interval '31 days' from generate_series(1, 2500) n`,
  ],
  [
    'replies',
    deleteExpiredReplies,
    sql`insert into replies (principal, key, fingerprint, reply, created_at)
    select 'key:a', 'key ' || n, '', '', now() - interval '8 days' from generate_series(1, 2500) n`,
  ],
  [
    'receivers',
    deleteOldReceivers,
    sql`insert into receivers (receiver, failures, noted_at)
    select 'platform https://' || n, 1, now() - interval '31 days' from generate_series(1, 2500) n`,
  ],
  [
    'feed_subscriptions',
    deleteOldSubscriptions,
    sql`insert into feed_subscriptions
      (id, principal, profile, callback_url, status, position_modified_at, position_id, created_at, canceled_at)
    select 'sub_' || n, 'key:a', '', '', 'canceled', now(), '', now(), now() - interval '31 days' from generate_series(1, 2500) n`,
  ],
  [
    'principals',
    deleteUnusedPrincipals,
    sql`insert into principals (principal, profile, first_seen, last_seen)
    select 'key:' || n, '', now() - interval '9 days', now() - interval '9 days' from generate_series(1, 2500) n`,
  ],
] as const)(
  '[what is stored is bounded] however many %s are old, all go, and never so many at once that none could',
  async (table, forget, fill) => {
    await sql`create table gone (number bigint generated always as identity, rows bigint)`.execute(db)
    await sql`create function note_gone() returns trigger language plpgsql as $$ begin
    insert into gone (rows) select count(*) from old_rows; return null; end $$`.execute(db)
    await sql`create trigger noted after delete on ${sql.table(table)} referencing old table as old_rows
    for each statement execute function note_gone()`.execute(db)
    await fill.execute(db)
    await forget(db, now)
    const { rows } = await sql<{ rows: number }>`select rows::integer as rows from gone order by number`.execute(db)
    expect(rows.map((one) => one.rows)).toEqual([1000, 1000, 500])
    await sql`drop table gone; drop function note_gone cascade`.execute(db)
  },
)
