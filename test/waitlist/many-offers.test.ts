import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { verify } from '../../src/core/ledger/verify-ledger.ts'
import { runWaitlist } from '../../src/domain/waitlist/run-waitlist-offers.ts'
import { type Desk, restDesk, type Shop } from '../support/desk.ts'
import { business, CLASS, classOfOne, lineOf, openShop } from './queue.ts'

/** In one change, as the server has it. */
const MOST = 20
const MORE = 180
const PLACES = MOST + MORE

const crowded = { ...business, services: [{ ...classOfOne, capacity: { max: PLACES, waitlist: true } }] }

/** Everybody has one booking, which is canceled; more wait than there are places. */
async function canceled() {
  const shop = await openShop(crowded)
  const desk = restDesk(shop)
  const [slot] = await desk.slots(CLASS)
  const { booking } = (await desk.book(slot, { party_size: PLACES })).data
  const { id } = await lineOf(desk).wait('First', { slot_id: slot.id })
  await repeat(shop, id, PLACES)
  await desk.cancel(booking.id)
  return { shop, desk, slot }
}

/** As many more wait like this entry. */
const repeat = ({ runtime: { db } }: Shop, id: string, more: number) =>
  sql`
    insert into waitlist_entries
      (id, principal, profile, service_id, slot_id, buyer, revision, status, created_at, updated_at, ends_at, told_apart)
    select id || nth, principal, profile, service_id, slot_id, buyer, revision, status, created_at, updated_at, ends_at, told_apart
    from waitlist_entries made, generate_series(1, ${more}::integer) nth where made.id = ${id}`.execute(db)

const line = async ({ runtime: { db } }: Shop) => {
  const { rows } = await sql<{ status: string }>`select status from waitlist_entries order by queue`.execute(db)
  return rows.map(({ status }) => status)
}
const isOpen = async (desk: Desk) => (await desk.slots(CLASS))[0].capacity.remaining > 0
const everybodyBut = (waiting: number) => [
  ...Array.from({ length: PLACES }, () => 'offered'),
  ...Array.from({ length: waiting }, () => 'waiting'),
]

test('[WTL-028] [WTL-031] whoever cancels asks few of a long line, and the rest is nobody else’s until they were asked', async () => {
  const { shop, desk, slot } = await canceled()
  expect((await line(shop)).indexOf('waiting')).toBe(MOST)
  expect(await isOpen(desk)).toBe(false)

  // Another platform that wants the slot has all of them asked first.
  expect((await desk.hold(slot, {}, { as: shop.other })).code).toBe('slot_unavailable')
  expect(await line(shop)).toEqual(everybodyBut(1))
  expect((await verify(shop.runtime.db, shop.time.now)).findings.listed).toEqual([])
})

test('[one platform holds up no other] who joins while a long line is asked comes in between', async () => {
  const { shop, desk, slot } = await canceled()
  const asking = runWaitlist(shop.runtime)
  await lineOf(desk).wait('Late', { slot_id: slot.id })
  expect((await line(shop)).filter((status) => status === 'waiting').length).toBeGreaterThan(2)

  await asking
  expect(await line(shop)).toEqual(everybodyBut(2))
  const left = await sql`select from freed`.execute(shop.runtime.db)
  expect(left.rows).toHaveLength(0)
})

test('[joining a slot that is free] all who wait before the buyer that names it are offered places, however many they are', async () => {
  const shop = await openShop(crowded)
  const desk = restDesk(shop)
  const { wait } = lineOf(desk)
  const [slot] = await desk.slots(CLASS)
  // Nobody is offered the free slot: a buyer who waits for any time gets only what becomes free later.
  await repeat(shop, (await wait('First')).id, MOST)
  await wait('Last', { slot_id: slot.id })
  await runWaitlist(shop.runtime)
  expect(new Set(await line(shop))).toEqual(new Set(['offered']))
})
