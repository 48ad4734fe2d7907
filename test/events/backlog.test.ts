import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { deliveriesLease } from '../../src/core/events/lease-deliveries.ts'
import { eventInsert } from '../../src/core/events/queries.ts'
import { openDatabase } from '../../src/infra/db/database.ts'
import { freshDatabase } from '../support/database.ts'

const BACKLOG = 5_000
const NEW = 20
const now = new Date('2026-11-20T12:00:00Z')
const later = new Date('2026-11-21T12:00:00Z')

/** Rows that statements have read through this index so far. */
async function rowsRead(db: ReturnType<typeof openDatabase>): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    select (coalesce(sum(idx_tup_read), 0)
      + (select seq_tup_read from pg_stat_user_tables where relname = 'deliveries'))::integer as read
    from pg_stat_user_indexes where relname = 'deliveries'`.execute(db)
  return rows[0]?.read ?? 0
}

test('[a dead receiver costs the others nothing] inserting and taking events beside its backlog reads no more than a few rows each', async () => {
  const url = await freshDatabase()
  const before = openDatabase(url, 1, () => {})
  const backlog = (status: string) =>
    sql`
    with event as (
      insert into events (id, type, subject, body, at)
      select ${status} || n, 'booking.canceled', 'booking ' || n, '{}', ${now} from generate_series(1, ${BACKLOG}::integer) n
      returning id, subject
    )
    insert into deliveries (event_id, receiver, subject, status, next_at, first)
    select id, 'dead', subject, ${status}, ${later}, ${status} = 'waiting' from event`.execute(before)
  await sql`alter table deliveries disable trigger user`.execute(before)
  await backlog('delivered')
  // The planner believes that nothing waits.
  await sql`analyze deliveries`.execute(before)
  await backlog('waiting')
  await sql`alter table deliveries enable trigger user`.execute(before)
  await before.destroy()

  // One connection, whose statistics can be flushed.
  const db = openDatabase(url, 1, () => {})
  const begun = await rowsRead(db)
  for (let count = 1; count <= NEW; count++) {
    const event = {
      id: `new_${count}`,
      type: 'booking.canceled',
      subject: `booking new ${count}`,
      content: { body: {} },
    }
    await eventInsert(db, event, ['well'], now)
  }
  for (let count = 1; count <= NEW; count++) expect(await deliveriesLease(db, 1, now)).toHaveLength(1)
  await sql`select pg_stat_force_next_flush()`.execute(db)
  const read = (await rowsRead(db)) - begun
  await db.destroy()
  expect(read / NEW).toBeLessThan(200)
})
