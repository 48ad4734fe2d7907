import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { freshDatabase } from '../support/database.ts'
import { type Desk, mcpDesk, restDesk, testShop } from '../support/desk.ts'
import { placesOf } from './booking-rows.ts'
import { shopDefinition } from './shop.ts'

// Two servers on one database, as replicas are.
const databaseUrl = await freshDatabase()
const shop = await testShop(shopDefinition, { databaseUrl })
const replica = await testShop(shopDefinition, { databaseUrl })
const [desk, twin]: [Desk, Desk] = [restDesk(shop), mcpDesk(replica)]
const { db } = shop.runtime
const as = shop.platform
const ROUNDS = 10

test.each(['svc_cut', 'svc_free', 'svc_asked'])(
  '[BKG-116] of a move and a create for one slot of %s one wins, and the booking that does not move keeps its time',
  async (serviceId) => {
    for (let round = 0; round < ROUNDS; round++) {
      const [slot, , , , wanted] = await desk.slots(serviceId)
      const { booking } = (await desk.book(slot, {}, { as })).data
      const move = () => twin.reschedule(booking.id, wanted, {}, { as })
      const create = () => desk.book(wanted, {}, { as: shop.other })
      // Each has a head start in turn: what takes its lock first is not always the same.
      const both = round % 2 ? [move(), create()] : [create(), move()]
      const codes = (await Promise.all(both)).map(({ code }) => code)
      expect(codes.toSorted()).toEqual(['slot_unavailable', undefined])
      const won = (codes[0] === undefined) === (round % 2 === 1) ? 'move' : 'create'
      const after = (await desk.get(booking.id, { as })).data.booking
      expect(after.slot.id).toBe(won === 'move' ? wanted.id : slot.id)
      expect((await placesOf(db, booking.id)).resources).toHaveLength(1)
      const others = await desk.book(won === 'move' ? wanted : slot, {}, { as: shop.other })
      expect(others.code).toBe('slot_unavailable')
    }
  },
)

test('[BKG-116] two bookings that want each other’s time both stay, or are refused, but never wait for each other', async () => {
  const [one, , , , other] = await desk.slots('svc_free')
  const [mine, theirs] = [await desk.book(one, {}, { as }), await desk.book(other, {}, { as })]
  const moves = await Promise.all([
    desk.reschedule(mine.data.booking.id, other, {}, { as }),
    twin.reschedule(theirs.data.booking.id, one, {}, { as }),
  ])
  expect(moves.map(({ code }) => code)).toEqual(['slot_unavailable', 'slot_unavailable'])
})

test('[BKG-118] of ten moves of one booking at once no more than its limit succeed', async () => {
  const [slot, ...others] = await desk.slots('svc_cut', { resource_id: 'staff_ben' })
  const { booking } = (await desk.book(slot, {}, { as })).data
  const targets = others.filter((_, index) => index % 2 === 1).slice(0, 10)
  const moves = await Promise.all(
    targets.map((to, index) => (index % 2 ? desk : twin).reschedule(booking.id, to, {}, { as })),
  )
  const codes = moves.map(({ code }) => code ?? 'moved').sort()
  expect(codes).toEqual(['moved', 'moved', ...Array(8).fill('reschedule_limit_reached')])
  expect((await placesOf(db, booking.id)).resources).toEqual(['staff_ben'])
})

test('[BKG-116] a move gives nothing up before it has locked all that it may need, so nobody waits for it in a circle', async () => {
  const [slot] = await desk.slots('svc_cut', { resource_id: 'staff_ben' })
  const { booking } = (await desk.book(slot, {}, { as })).data
  const wanted = (await desk.slots('svc_cut', { resource_id: 'staff_ann' })).find(({ start }) => start > slot.end)
  const { moving } = await db.transaction().execute(async (tx) => {
    await sql`select lock_resources(array['staff_ann'])`.execute(tx)
    const moving = desk.reschedule(booking.id, wanted, {}, { as })
    await setTimeout(300)
    await sql`select lock_resources(array['staff_ben'])`.execute(tx)
    return { moving }
  })
  expect((await moving).data.booking.slot.id).toBe(wanted?.id)
})
