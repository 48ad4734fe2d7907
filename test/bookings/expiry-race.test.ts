import { expect, test } from 'vitest'
import { expireOverdue } from '../../src/domain/bookings/expire-overdue-bookings.ts'
import { freshDatabase } from '../support/database.ts'
import { mcpDesk, restDesk, testShop } from '../support/desk.ts'
import { START } from '../support/server.ts'
import { placesOf } from './booking-rows.ts'
import { shopDefinition } from './shop.ts'

// Two servers on one database; the clock of the second is a moment behind, as between machines it always is.
const databaseUrl = await freshDatabase()
const shop = await testShop(shopDefinition, { databaseUrl })
const behind = await testShop(shopDefinition, { databaseUrl })
const [desk, late] = [restDesk(shop), mcpDesk(behind)]
const { db } = shop.runtime
const as = shop.platform
const ROUNDS = 12

async function pending() {
  for (const server of [shop, behind]) server.time.now = START
  const [slot] = await desk.slots('svc_asked')
  const { booking } = (await desk.book(slot, {}, { as })).data
  shop.time.now = new Date(booking.expires_at)
  behind.time.now = new Date(shop.time.now.getTime() - 1)
  return { slot, booking }
}

/** In turn one begins first, then the other. */
const together = async <A, B>(round: number, one: () => Promise<A>, other: () => Promise<B>): Promise<[A, B]> => {
  if (round % 2 === 0) return Promise.all([one(), other()])
  const second = other()
  const first = one()
  return [await first, await second]
}

const eventsOf = async (id: string) => {
  const rows = await db.selectFrom('events').select('type').where('subject', '=', `booking ${id}`).execute()
  return rows.map(({ type }) => type)
}

test('[BKG-126] a booking that is confirmed as it expires ends in one of both, and one event tells of it', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { booking } = await pending()
    const [{ code }] = await together(
      round,
      () => late.confirm(booking.id, {}, { as: shop.staff }),
      () => expireOverdue(shop.runtime, shop.time.now),
    )
    const { status } = (await desk.get(booking.id, { as })).data.booking
    expect([code, status]).toEqual(code ? ['invalid_transition', 'canceled'] : [undefined, 'confirmed'])
    expect(await eventsOf(booking.id)).toEqual([code ? 'booking.canceled' : 'booking.confirmed'])
    expect((await placesOf(db, booking.id)).resources).toHaveLength(code ? 0 : 1)
  }
})

test('[BKG-123] [BKG-126] of a confirm and of others who want the time that lapses one has it', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { slot, booking } = await pending()
    const [confirmed, ...others] = (
      await together(
        round,
        () => late.confirm(booking.id, {}, { as: shop.staff }),
        () => Promise.all([desk, desk, desk].map((one) => one.book(slot, {}, { as: shop.other }))),
      )
    ).flat()
    const winners = [confirmed, ...others].filter((said) => said?.code === undefined)
    expect(winners).toHaveLength(1)
    await expireOverdue(shop.runtime, shop.time.now)
    const stands = confirmed?.code === undefined
    const { status } = (await desk.get(booking.id, { as })).data.booking
    expect(status).toBe(stands ? 'confirmed' : 'canceled')
    expect(await eventsOf(booking.id)).toEqual([stands ? 'booking.confirmed' : 'booking.canceled'])
    expect((await placesOf(db, booking.id)).resources).toHaveLength(stands ? 1 : 0)
    expect((await placesOf(db, winners[0]?.data.booking.id)).resources).toHaveLength(1)
  }
})

test('[BKG-123] of twenty who want the time of an unpaid booking in the instant it lapses one has it', async () => {
  shop.time.now = START
  const [slot] = await desk.slots('svc_paid')
  const { booking } = (await desk.book(slot, {}, { as })).data
  shop.time.now = behind.time.now = new Date(booking.expires_at)
  const all = await Promise.all(
    Array.from({ length: 20 }, (_, index) => (index % 2 ? desk : late).book(slot, {}, { as: shop.other })),
  )
  const codes = all.map(({ code }) => code ?? 'booked').sort()
  expect(codes).toEqual(['booked', ...Array(19).fill('slot_unavailable')])
})
