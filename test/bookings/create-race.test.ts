import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { freshDatabase } from '../support/database.ts'
import { buyer, type Desk, mcpDesk, restDesk, testShop } from '../support/desk.ts'
import { tableContents } from '../support/table-contents.ts'
import { shopDefinition } from './shop.ts'

// Two servers on one database, as replicas are.
const databaseUrl = await freshDatabase()
const shop = await testShop(shopDefinition, { databaseUrl })
const replica = await testShop(shopDefinition, { databaseUrl })
const desks: Desk[] = [restDesk(shop), mcpDesk(replica), restDesk(replica), mcpDesk(shop)]
const [desk = restDesk(shop)] = desks
const { db } = shop.runtime

const atOnce = <T>(count: number, call: (desk: Desk, index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => call(desks[index % desks.length] ?? desk, index)))

const codes = (said: { code: string | undefined }[]) => said.map(({ code }) => code ?? 'booked').sort()

test.each(['svc_cut', 'svc_free', 'svc_asked', 'svc_paid'])(
  '[BKG-006] of twenty who book one slot of %s at once one has it',
  async (id) => {
    const [slot] = await desk.slots(id)
    const all = await atOnce(20, (one) => one.book(slot, {}, { as: shop.platform }))
    expect(codes(all)).toEqual(['booked', ...Array(19).fill('slot_unavailable')])
    const { bookings = [] } = await tableContents(db)
    expect(bookings.filter((row) => row.includes(slot.id))).toHaveLength(1)
  },
)

test('[BKG-018] of twenty who want two places of six at once three have them', async () => {
  const [slot] = await desk.slots('svc_class')
  const all = await atOnce(20, (one) => one.book(slot, { party_size: 2 }, { as: shop.platform }))
  expect(codes(all)).toEqual(['booked', 'booked', 'booked', ...Array(17).fill('slot_unavailable')])
})

test('[BKG-018] of ten parties at once each table has one', async () => {
  const [slot] = await desk.slots('svc_table')
  const all = await atOnce(10, (one) => one.book(slot, {}, { as: shop.platform }))
  expect(codes(all)).toEqual(['booked', 'booked', ...Array(8).fill('slot_unavailable')])
  const tables = all.flatMap(({ data }) => data.booking?.resources ?? []).map(({ id }) => id)
  expect(tables.sort()).toEqual(['table_2', 'table_4'])
})

test('[BKG-058] of ten who book one hold at once all are given one booking, and one of them made it', async () => {
  const [slot] = await desk.slots('svc_free')
  const { hold } = (await desk.hold(slot, {}, { as: shop.platform })).data
  const all = await atOnce(10, (one) =>
    one.book(slot, { hold_id: hold.id }, { as: shop.platform, idempotencyKey: randomUUID() }),
  )
  expect(codes(all)).toEqual(Array(10).fill('booked'))
  expect(new Set(all.map(({ data }) => data.booking.id)).size).toBe(1)
  const credentials = all.filter(({ data }) => data.booking_scoped_credential)
  expect(credentials).toHaveLength(1)
})

test('[BKG-053] [IDM-020] twenty simultaneous creates with one key are one booking and one answer', async () => {
  const [slot] = await desk.slots('svc_class')
  const input = { service_id: slot.service_id, slot_id: slot.id, buyer }
  const ask = { as: shop.platform, idempotencyKey: randomUUID() }
  const all = await atOnce(20, (one) => one.call('usp_bookings_create', input, ask))
  expect(new Set(all.map(({ data }) => JSON.stringify(data))).size).toBe(1)
  expect(all[0]?.data.booking.id).toMatch(/^bkg_/)
  expect((await desk.slots('svc_class'))[0].capacity.remaining).toBe(slot.capacity.remaining - 1)
})
