import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { keepWaitlist } from '../../src/waitlist/offer-freed.ts'
import { businessWith, service } from '../support/definitions.ts'
import { restDesk, testShop } from '../support/desk.ts'
import { lineOf } from './queue.ts'

/** In one change, as the server has it. */
const MOST = 200
const MORE = 30

const shop = await testShop(
  businessWith([service('svc_a', { capacity: { waitlist: true }, duration: { fixed: 'PT15M' } })]),
)
const { db } = shop.runtime
const desk = restDesk(shop)

const line = async () => {
  const { rows } = await sql<{ status: string }>`select status from waitlist_entries order by queue`.execute(db)
  return rows.map(({ status }) => status)
}
const waiting = async () => (await line()).filter((status) => status === 'waiting')

test('[a change asks few of a long line] the others keep their place, and what they wait for is nobody else’s until they were asked', async () => {
  const { id } = await lineOf(desk).wait('First', { service_id: 'svc_a' })
  await sql`
    insert into waitlist_entries (id, principal, profile, service_id, buyer, revision, status, created_at, updated_at, told_apart)
    select id || nth, principal, profile, service_id, buyer, revision, status, created_at, updated_at, told_apart
    from waitlist_entries made, generate_series(2, ${MOST + MORE}::integer) nth where made.id = ${id}`.execute(db)
  const [latest] = (await desk.slots('svc_a')).slice(-1)
  await sql`select tell_freed(null, null, null)`.execute(db)

  await keepWaitlist(shop.runtime)
  expect(await waiting()).toHaveLength(MORE)
  expect((await line()).indexOf('waiting')).toBe(MOST)

  // Whoever comes now has them asked first.
  expect((await desk.hold(latest)).data.hold).toBeDefined()
  expect(await waiting()).toEqual([])
  await keepWaitlist(shop.runtime)
  const left = await sql`select from freed`.execute(db)
  expect(left.rows).toHaveLength(0)
})
