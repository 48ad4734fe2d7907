import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { runWaitlist } from '../../src/domain/waitlist/run-waitlist-offers.ts'
import { restDesk, type Shop } from '../support/desk.ts'
import { CLASS, lineOf, openShop } from './queue.ts'

/** As many as may wait for a service whose definition says nothing of it. */
const MANY = 500

/** Everybody waits for the first class, and one behind them for any. */
async function longLine() {
  const shop = await openShop()
  const desk = restDesk(shop)
  const { fill, wait } = lineOf(desk)
  const [first] = await fill()
  const { id } = await wait('First', { slot_id: first.slot.id })
  await copyEntry(shop, id, [2, MANY - 1])
  return { shop, desk, id, slot: first.slot, last: await wait('Last') }
}

const copyEntry = ({ runtime }: Shop, id: string, [first, last]: readonly [number, number]) =>
  sql`
    insert into waitlist_entries
      (id, principal, profile, service_id, slot_id, buyer, revision, status, created_at, updated_at, ends_at, told_apart)
    select id || nth, principal, profile, service_id, slot_id, buyer, revision, status, created_at, updated_at, ends_at, told_apart
    from waitlist_entries made, generate_series(${first}::integer, ${last}::integer) nth where made.id = ${id}`.execute(
    runtime.db,
  )

/** What was told of the line, and in how many statements. */
async function told({ runtime: { db } }: Shop) {
  const { rows } = await sql<{ type: string; count: number; statements: number; firsts: number }>`
    select type, count(*)::integer as count, count(distinct cmin::text)::integer as statements,
      count(*) filter (where snapshot ->> 'position' = '1')::integer as firsts
    from events where type like 'waitlist.%' group by type order by type`.execute(db)
  return rows
}

const inTwoStatements = [
  { type: 'waitlist.expired', count: MANY - 1, statements: 1, firsts: expect.any(Number) },
  { type: 'waitlist.position_changed', count: 1, statements: 1, firsts: 1 },
]

async function expectEnded(shop: Shop) {
  expect(await told(shop)).toEqual(inTwoStatements)
  const { rows } = await sql<{ status: string; count: number; statements: number; places: number }>`
    select status, count(*)::integer as count, count(distinct cmin::text)::integer as statements,
      count(distinct last_position)::integer as places
    from waitlist_entries group by status order by status`.execute(shop.runtime.db)
  expect(rows[0]).toMatchObject({ status: 'expired', count: MANY - 1, statements: 1 })
  const journal = await sql`select from changes where action = 'expired' and from_status = 'waiting'`.execute(
    shop.runtime.db,
  )
  expect(journal.rows).toHaveLength(MANY - 1)
  return rows[0]
}

test('[nobody waits long for a long line] whose class begins, it ends in as many statements as one that is short', async () => {
  const { shop, desk, slot, last } = await longLine()
  expect(last.position).toBe(MANY)
  shop.time.now = new Date(slot.start)
  await runWaitlist(shop.runtime)
  // By the clock nobody stood before anybody else any more.
  expect(await expectEnded(shop)).toMatchObject({ places: 1 })
  expect((await lineOf(desk).entry(last.id)).position).toBe(1)
})

test('[nobody waits long for a long line] nor whose class is canceled, and each is told of the place they had', async () => {
  const { shop, desk } = await longLine()
  const week = { start_date: '2026-11-23', end_date: '2026-11-29', service_id: CLASS }
  const [{ id }] = (await desk.call('usp_business_sessions_list', week, { as: shop.staff })).data.sessions
  await desk.call('usp_business_sessions_cancel', { session_id: id }, { as: shop.staff })
  expect(await expectEnded(shop)).toMatchObject({ places: MANY - 1 })
})

test('[nobody waits long for a long line] PostgreSQL does not read all events again for each one, though it knew of none before', async () => {
  const { shop, desk, id: entry } = await longLine()
  const { db } = shop.runtime
  const many = 2_000
  await copyEntry(shop, entry, [MANY, many])
  await sql`delete from events`.execute(db)
  await sql`vacuum analyze deliveries`.execute(db)
  const read = async () => {
    const { rows } = await sql<{ entered: number; read: number }>`
      select n_tup_ins::integer as entered, (seq_tup_read + idx_tup_fetch)::integer as read
      from pg_stat_user_tables where relname = 'deliveries'`.execute(db)
    return rows[0] ?? { entered: 0, read: 0 }
  }
  const before = await read()
  const week = { start_date: '2026-11-23', end_date: '2026-11-29', service_id: CLASS }
  const [{ id }] = (await desk.call('usp_business_sessions_list', week, { as: shop.staff })).data.sessions
  await desk.call('usp_business_sessions_cancel', { session_id: id }, { as: shop.staff })
  await expect.poll(async () => (await read()).entered - before.entered).toBeGreaterThanOrEqual(many)
  // For each one all before it: two millions.
  expect((await read()).read - before.read).toBeLessThan(200_000)
})

test('[nobody waits long for a long line] of hundreds who let an offer lapse all are told at once, and their places come back', async () => {
  const { shop, slot } = await longLine()
  const { db } = shop.runtime
  const lapsed = new Date(shop.time.now.getTime() - 1)
  await sql`update waitlist_entries set status = 'offered', offered_slot_id = slot_id, offered_from = ends_at,
    offered_to = ends_at + interval '1 hour', offer_expires_at = ${lapsed} where slot_id is not null`.execute(db)
  const { id } = await db
    .selectFrom('sessions')
    .select('id')
    .where('starts_at', '=', new Date(slot.start))
    .executeTakeFirstOrThrow()
  await sql`update sessions set capacity = ${MANY} where id = ${id}`.execute(db)
  await sql`insert into seats (session_id, holder_kind, holder_id, spots, expires_at)
    select ${id}, 'offer', e.id, 1, ${lapsed} from waitlist_entries e where status = 'offered'`.execute(db)
  await runWaitlist(shop.runtime)
  const { rows } = await sql`select from seats where holder_kind = 'offer' and expires_at = ${lapsed}`.execute(db)
  expect(rows).toEqual([])
  expect((await told(shop)).find(({ type }) => type === 'waitlist.expired')).toMatchObject({
    count: MANY - 1,
    statements: 1,
  })
})
