import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { deliveriesLease } from '../../src/core/events/lease-deliveries.ts'
import { eventInsert } from '../../src/core/events/queries.ts'
import { businessWith, service } from '../support/definitions.ts'
import { testServer } from '../support/server.ts'

const MOST_AT_ONCE = 96
const { runtime, time } = await testServer(businessWith([service('svc_one')]))
const { db } = runtime

/** Subscriptions to hosts that nobody else sends to, made by strangers or by whoever is known. */
async function subscribed(count: number, crowd: string): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, nth) => `sub_${crowd.split(' ')[0]}_${String(nth).padStart(4, '0')}`)
  await sql`
    insert into feed_subscriptions (id, principal, profile, callback_url, status, position_modified_at, position_id,
      created_at, crowd)
    select id, 'key:' || id, '', 'https://' || id || '.example/', 'active', ${time.now}, '', ${time.now}, ${crowd} || id
    from unnest(${ids}::text[]) as id`.execute(db)
  return ids.map((id) => `subscription ${id}`)
}

test('[one sick neighbour] however many receivers of strangers hang, they take a third of the places', async () => {
  const strange = await subscribed(200, 'strangers ')
  const known = await subscribed(10, 'platforms ')
  const told = (id: string, receivers: string[], minutes: number) => {
    const event = { id, type: 'service.updated', subject: 'service svc_one', content: { body: {} } }
    return eventInsert(db, event, receivers, new Date(time.now.getTime() + minutes * 60_000))
  }
  await told('evt_first', strange, -10)
  await told('evt_later', ['profile https://platform.example/', ...known], -5)

  const due = await deliveriesLease(db, MOST_AT_ONCE, time.now)
  const receivers = due.map(({ receiver }) => receiver)
  expect(receivers.filter((one) => strange.includes(one))).toHaveLength(32)
  expect(receivers).toEqual(expect.arrayContaining([...known, 'profile https://platform.example/']))
  // These are on their way still, and at no other server are there more.
  expect(await deliveriesLease(db, MOST_AT_ONCE, time.now)).toEqual([])
  const done = receivers.filter((one) => strange.includes(one)).slice(0, 5)
  await sql`delete from deliveries where receiver = any (${done}::text[])`.execute(db)
  expect((await deliveriesLease(db, MOST_AT_ONCE, time.now)).map(({ receiver }) => strange.includes(receiver))).toEqual(
    Array(5).fill(true),
  )
})
