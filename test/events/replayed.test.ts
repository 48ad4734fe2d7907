import { once } from 'node:events'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { deliveriesReplay, replayGivenUp } from '../../src/core/events/deliveries/delivery-queries.ts'
import { eventInsert } from '../../src/core/events/queries.ts'
import { openDatabase } from '../../src/infra/db/database.ts'
import { runUnitOfWork } from '../../src/infra/db/run-unit-of-work.ts'
import { changeInBatches } from '../../src/protocol/change-in-batches.ts'
import { freshDatabase } from '../support/database.ts'

const databaseUrl = await freshDatabase()
const db = openDatabase(databaseUrl, 2, () => {}, { keepIdle: false })
const listener = new pg.Client(databaseUrl)
await listener.connect()
afterAll(async () => {
  await listener.end()
  await db.destroy()
})

const now = new Date('2026-11-20T12:00:00Z')
const later = new Date(now.getTime() + 60_000)
/** Of each receiver one delivery: `early` of a minute before, the others of now. */
beforeEach(async () => {
  await sql`truncate events, deliveries cascade`.execute(db)
  for (const [name, status] of Object.entries({
    early: 'given_up',
    lost: 'given_up',
    had: 'delivered',
    waits: 'waiting',
  })) {
    const event = { id: `evt_${name}`, type: 'booking.canceled', subject: `booking ${name}`, content: { body: {} } }
    await eventInsert(db, event, [name], name === 'early' ? new Date(now.getTime() - 60_000) : now)
    await sql`update deliveries set status = ${status}, attempts = 4, ended_at = ${status === 'waiting' ? null : now}
      where receiver = ${name}`.execute(db)
  }
})
const idOf = async (name: string) =>
  (await db.selectFrom('deliveries').select('id').where('receiver', '=', name).executeTakeFirstOrThrow()).id
const replaySince = (wanted: { since: Date; receiver?: string }) =>
  changeInBatches((work) => runUnitOfWork(db, work), replayGivenUp({ receiver: undefined, ...wanted }, later))
const begunAnew = async () => {
  const { rows } = await sql<{ receiver: string }>`
    select receiver from deliveries
    where status = 'waiting' and attempts = 0 and next_at = ${later} and ended_at is null order by receiver`.execute(db)
  return rows.map(({ receiver }) => receiver)
}

test.each([
  [{ since: now }, ['lost']],
  [{ since: new Date(now.getTime() - 60_000) }, ['early', 'lost']],
  [{ since: new Date(now.getTime() + 1) }, []],
  [{ since: new Date(0), receiver: 'early' }, ['early']],
])('with %j what was given up since is sent again, and nothing else', async (wanted, again) => {
  expect(await replaySince(wanted)).toHaveLength(again.length)
  expect(await begunAnew()).toEqual(again)
})

test.each([
  ['had', ['had']],
  ['lost', ['lost']],
  ['waits', []],
])('by its id one is sent again that has ended: %s', async (name, again) => {
  expect(await deliveriesReplay(db, [String(await idOf(name))], later)).toHaveLength(again.length)
  expect(await begunAnew()).toEqual(again)
})

test('what is sent again is announced, be it one', async () => {
  await listener.query('listen deliveries')
  const told = once(listener, 'notification', { signal: AbortSignal.timeout(5_000) })
  await deliveriesReplay(db, [String(await idOf('had'))], later)
  expect(await told).toMatchObject([{ channel: 'deliveries' }])
})

test('[nobody waits long for the staff] thousands are sent again a few at a time, in their order, each once', async () => {
  const MANY = 50
  await sql`
    insert into deliveries (event_id, receiver, subject, status, next_at)
    select 'evt_lost', 'many', 'booking many', 'given_up', ${now} from generate_series(1, ${MANY}::integer)`.execute(db)
  expect(await replaySince({ since: now, receiver: 'many' })).toHaveLength(MANY)
  expect(await begunAnew()).toEqual(Array.from({ length: MANY }, () => 'many'))
  const { rows } = await sql<{ first: boolean; change: string }>`
    select first, xmin::text as change from deliveries where receiver = 'many' order by id`.execute(db)
  expect(rows.map(({ first }) => first)).toEqual([true, ...Array.from({ length: MANY - 1 }, () => false)])
  expect(new Set(rows.map(({ change }) => change)).size).toBeGreaterThan(2)
})
