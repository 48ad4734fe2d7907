import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { runHousekeeping } from '../../src/cli/recurring-job-list.ts'
import { verify } from '../../src/core/ledger/verify-ledger.ts'
import { removeDemoData } from '../../src/domain/desk/demo/remove-demo-data.ts'
import { inboxCount } from '../../src/domain/desk/inbox/inbox-queries.ts'
import { HOUR } from '../../src/infra/time/time-units.ts'
import { BEGUN_AT, definition, demoSalon } from './demo-salon.ts'

const [one, other] = await Promise.all([demoSalon(), demoSalon()])
await one.fill()
/** The other server is stopped several times while it makes the demo data. */
for (let stop = 100; (await countOf(other, 'changes', `action = 'finish_demo'`)) === 0; stop += 150) {
  let steps = 0
  await other.fill({ shouldStop: () => ++steps > stop })
}

type Salon = typeof one

async function countOf({ runtime: { db } }: Salon, table: string, where = 'true'): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from ${sql.table(table)} where ${sql.raw(where)}`.execute(db)
  return rows[0]?.count ?? 0
}

const stories = sql<{ line: string }>`
  select concat_ws(' ', service_id, starts_at, ends_at, status, resource_ids, people #>> '{buyer,email}',
    people #>> '{notes}', split_part(principal, ':', 1), record ->> 'payment') as line from bookings
  union all select concat_ws(' ', amount, kind, purpose, tip, received_at) from payments
  union all select concat_ws(' ', resource_id, starts_at, ends_at, reason) from blocks
  union all select concat_ws(' ', buyer, status, created_at) from waitlist_entries order by 1`

const simulationOf = async ({ runtime: { db } }: Salon) =>
  (await stories.execute(db)).rows.map(({ line }) => line.replace(/\b(pay|ref|rcp)\w*_[\w-]+/g, '$1'))

describe('[demo data]', () => {
  test('the same seed and time give the same simulation, also if the server is stopped meanwhile', async () => {
    const [steps, again] = [await simulationOf(one), await simulationOf(other)]
    expect(steps.length).toBeGreaterThan(500)
    expect(again).toEqual(steps)
    const refused = [one, other].flatMap(({ logged }) => logged.filter((line) => line.includes('that was refused')))
    expect(refused).toEqual([])
  })

  test('the simulation is as large as it should be, and has something of everything', async () => {
    const bookings = await countOf(one, 'bookings')
    expect(bookings).toBeGreaterThanOrEqual(250)
    expect(bookings).toBeLessThanOrEqual(450)
    expect(await countOf(one, 'bookings', `status = 'no_show'`)).toBe(1)
    for (const [table, where] of [
      ['bookings', `status = 'canceled'`],
      ['bookings', `status = 'in_progress'`],
      ['payments', `purpose = 'deposit'`],
      ['payments', 'tip > 0'],
      ['refunds', 'true'],
      ['customers', `note ilike '%allerg%'`],
      ['blocks', `ends_at - starts_at >= interval '1 day'`],
      ['blocks', `ends_at - starts_at < interval '1 day'`],
    ] as const)
      expect([where, await countOf(one, table, where)]).toEqual([where, expect.toSatisfy((count) => count > 0)])
    for (const kind of ['cash', 'card', 'transfer', 'voucher'])
      expect(await countOf(one, 'payments', `kind = '${kind}'`)).toBeGreaterThan(0)
    expect(await countOf(one, 'waitlist_entries', `status = 'waiting'`)).toBe(3)
  })

  test('today is busier than every other day', async () => {
    const { rows } = await sql<{ day: string }>`
      select (starts_at at time zone 'America/New_York')::date::text as day from bookings
      group by 1 order by count(*) desc limit 1`.execute(one.runtime.db)
    expect(rows).toEqual([{ day: '2026-11-19' }])
  })

  test('the next class has one place left, and the class after it is full', async () => {
    const { rows } = await sql<{ left: number }>`
      select (capacity - (select coalesce(sum(spots), 0) from seats where session_id = s.id))::integer as left
      from sessions s where starts_at > ${BEGUN_AT} order by starts_at limit 2`.execute(one.runtime.db)
    expect(rows).toEqual([{ left: 1 }, { left: 0 }])
  })

  test('the inbox has three things to do', async () => {
    const inbox = await inboxCount(one.runtime.db, BEGUN_AT)
    expect(inbox).toMatchObject({ total: 3, requests: 2, payments_claimed: 1 })
  })

  test('nothing is claimed twice, and no money is missing', async () => {
    for (const { runtime } of [one, other]) expect((await verify(runtime.db, BEGUN_AT)).findings.listed).toEqual([])
  })

  test('a second start adds nothing', async () => {
    const counts = async () => [await countOf(one, 'bookings'), await countOf(one, 'changes')]
    const before = await counts()
    await one.fill()
    expect(await counts()).toEqual(before)
  })

  test('no mail and no event is made, also not by the background work of the next day', async () => {
    expect(await countOf(one, 'mails')).toBe(0)
    other.time.now = new Date(BEGUN_AT.getTime() + 23 * HOUR)
    await runHousekeeping(other.runtime)
    expect(await countOf(other, 'bookings', `reminded_until = '${other.time.now.toISOString()}'`)).toBeGreaterThan(0)
    expect(await countOf(other, 'mails', `audience = 'buyer'`)).toBe(0)
    expect((await countOf(other, 'events')) + (await countOf(other, 'deliveries'))).toBe(0)
  })

  test('the removal deletes all demo data, leaves nothing claimed, and the next start adds nothing', async () => {
    await removeDemoData(other.runtime, 'staff:owner')
    await other.fill()
    for (const table of ['bookings', 'payments', 'refunds', 'waitlist_entries', 'blocks', 'customers', 'seats'])
      expect([table, await countOf(other, table)]).toEqual([table, 0])
    expect(await countOf(other, 'claims', `holder_kind <> 'session'`)).toBe(0)
    expect((await verify(other.runtime.db, other.time.now)).findings.listed).toEqual([])
    expect((await other.runtime.business.get())?.services).toEqual(definition.services)
  })

  test('all addresses and numbers are invented', async () => {
    expect(await countOf(one, 'bookings', `people #>> '{buyer,email}' not like '%@demo.example.com'`)).toBe(0)
    const reserved = `people #>> '{buyer,phone_number}' !~ '^\\+1212555-?01\\d\\d$'`
    expect(await countOf(one, 'bookings', reserved)).toBe(0)
  })
})
