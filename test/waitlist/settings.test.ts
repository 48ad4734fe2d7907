import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { runWaitlist } from '../../src/domain/waitlist/run-waitlist-offers.ts'
import type { ServiceDefinition } from '../../src/protocol/types.generated.ts'
import { restDesk } from '../support/desk.ts'
import { business, CLASS, classOfOne, lineOf, openShop, person } from './queue.ts'

const MINUTE = 60_000
const late = { allowed: true, free_cancellation_until: 'P30D', late_cancellation_fee: 2000 }

/** Somebody who is offered the first class, as many minutes before it begins. */
async function offered(waitlist: ServiceDefinition['waitlist'], minutesBefore?: number) {
  const shop = await openShop({ ...business, services: [{ ...classOfOne, ...(waitlist && { waitlist }) }] })
  const desk = restDesk(shop)
  const { wait, fill, entry, decline } = lineOf(desk)
  const [booking] = await fill()
  const { id } = await wait('Ann')
  if (minutesBefore !== undefined) shop.time.now = new Date(Date.parse(booking.slot.start) - minutesBefore * MINUTE)
  await desk.cancel(booking.id)
  const { offer_expires_at = '', status } = await entry(id)
  return { status, decline: async () => (await decline(id)).data.entry.status, shop, offer_expires_at, booking }
}

test.each([
  [undefined, 30],
  [{ offer_window: 'PT10M' }, 10],
  [{ offer_window: 'P1D' }, 24 * 60],
])('[WTL-036] with %j an offer stands for %i minutes', async (waitlist, minutes) => {
  const { offer_expires_at, shop } = await offered(waitlist)
  expect(Date.parse(offer_expires_at) - shop.time.now.getTime()).toBe(minutes * MINUTE)
})

test('[WTL-036] an offer ends when it becomes too late to book, and then there is none', async () => {
  const near = await offered(undefined, 130)
  expect(Date.parse(near.booking.slot.start) - Date.parse(near.offer_expires_at)).toBe(120 * MINUTE)
  expect((await offered(undefined, 120)).status).toBe('waiting')
})

test.each([
  [undefined, 'waiting'],
  [{ on_decline: 'requeue' as const }, 'waiting'],
  [{ on_decline: 'remove' as const }, 'removed'],
])('[WTL-048] [WTL-049] with %j who declines is %s then', async (waitlist, status) => {
  const { decline } = await offered(waitlist)
  expect(await decline()).toBe(status)
})

test.each([
  [{}, 0],
  [{ waive_fee: true }, 0],
  [{ waive_fee: false }, 2000],
])('[WTL-055] with %j giving the earlier booking back costs %i', async (waitlist, fee) => {
  const policies = { ...classOfOne.policies, payment_timing: 'at_booking' as const, cancellation: late }
  const shop = await openShop({ ...business, services: [{ ...classOfOne, policies, waitlist }] })
  const desk = restDesk(shop)
  const { join, accept } = lineOf(desk)
  const [first, second] = await desk.slots(CLASS)
  const mine = (await desk.book(second, { buyer: person('Eve') })).data.booking
  await desk.pay(mine)
  const theirs = (await desk.book(first)).data.booking
  const { entry } = (await join('Eve', { slot_id: first.id })).data
  await desk.cancel(theirs.id)
  expect((await accept(entry.id)).data.booking.slot.id).toBe(first.id)
  expect((await desk.cancel(mine.id)).data.booking.cancellation.fee).toBe(fee)
})

test('[WTL-055] [each earlier booking of the same buyer] goes back without a fee, however the address is written', async () => {
  const policies = { ...classOfOne.policies, payment_timing: 'at_booking' as const, cancellation: late }
  const wanted = { ...classOfOne, policies, capacity: { max: 2, waitlist: true } }
  const shop = await openShop({ ...business, services: [wanted, { ...wanted, id: 'svc_other' }] })
  const desk = restDesk(shop)
  const { join, accept } = lineOf(desk)
  const [first, second, third] = await desk.slots(CLASS)
  const [other] = await desk.slots('svc_other')
  const booked = async (slot: object, name: string, ask = {}) => {
    const { booking } = (await desk.book(slot, { buyer: person(name) }, ask)).data
    await desk.pay(booking, {}, ask)
    return async () => (await desk.cancel(booking.id, {}, ask)).data.booking.cancellation.fee
  }
  const mine = [await booked(second, 'Eve'), await booked(third, 'Eve')]
  const others = [
    await booked(second, 'Ann'),
    await booked(other, 'Eve'),
    await booked(third, 'Eve', { as: await shop.newPlatform() }),
  ]
  const [theirs] = [(await desk.book(first, { party_size: 2 })).data.booking]
  const { entry } = (await join('Eve', { slot_id: first.id, buyer: { ...person('Eve'), email: 'EVE@Example.com' } }))
    .data
  await desk.cancel(theirs.id)
  const { booking } = (await accept(entry.id)).data
  expect(booking.slot.id).toBe(first.id)
  expect(await Promise.all(mine.map((cancel) => cancel()))).toEqual([0, 0])
  expect(await Promise.all(others.map((cancel) => cancel()))).toEqual([2000, 2000, 2000])
})

test('[one platform holds up no other] however many bookings the buyer has, all go back without a fee by one statement', async () => {
  const wanted = { ...classOfOne, capacity: { max: 50, waitlist: true } }
  const shop = await openShop({ ...business, services: [wanted] })
  const desk = restDesk(shop)
  const { join, accept } = lineOf(desk)
  const [first, second] = await desk.slots(CLASS)
  for (let nth = 0; nth < 30; nth++) await desk.book(second, { buyer: person('Eve') })
  const { booking } = (await desk.book(first, { party_size: 50 })).data
  const { entry } = (await join('Eve', { slot_id: first.id })).data
  await desk.cancel(booking.id)
  await accept(entry.id)
  const { rows } = await sql<{ revision: number; statement: string; changes: number }>`
    select revision, cmin::text as statement,
      (select count(*)::integer from changes where subject = 'booking ' || bookings.id and action = 'waive_fee') as changes
    from bookings where record ->> 'fee_waived' = 'true'`.execute(shop.runtime.db)
  expect(rows).toEqual(Array(30).fill({ revision: 2, statement: rows[0]?.statement, changes: 1 }))
})

test('[one platform holds up no other] who moves up because several offers are void is told of it once', async () => {
  const wanted = { ...classOfOne, capacity: { max: 2, waitlist: true } }
  const shop = await openShop({ ...business, services: [wanted] })
  const desk = restDesk(shop)
  const { wait, entry } = lineOf(desk)
  const [slot] = await desk.slots(CLASS)
  const { booking } = (await desk.book(slot, { party_size: 2 })).data
  const [one, other] = [await wait('Ann', { slot_id: slot.id }), await wait('Bob', { slot_id: slot.id })]
  const last = await wait('Cat', { preferred_slots: [{ end_date: '2026-11-23' }] })
  await desk.cancel(booking.id)
  expect([(await entry(one.id)).status, (await entry(other.id)).status]).toEqual(['offered', 'offered'])
  const day = slot.start.slice(0, 10)
  await shop.apply({ ...business, services: [wanted], closures: [{ from: day, to: day, reason: 'Storm' }] })
  await runWaitlist(shop.runtime)
  expect([(await entry(one.id)).status, (await entry(other.id)).status]).toEqual(['expired', 'expired'])
  const { rows } = await sql`
    select from events where type = 'waitlist.position_changed' and subject = ${`entry ${last.id}`}`.execute(
    shop.runtime.db,
  )
  expect(rows).toHaveLength(1)
})
