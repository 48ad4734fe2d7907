import { afterEach, expect, test } from 'vitest'
import { resourcesLock } from '../../src/core/ledger/resource-claims.ts'
import { freshDatabase } from '../support/database.ts'
import { businessWith, service } from '../support/definitions.ts'
import { buyer, type Desk, mcpDesk, restDesk, type Said, testShop, type Who } from '../support/desk.ts'
import { daily, EVERY_DAY, on } from './week.ts'

const definition = businessWith(
  [
    service('svc_cut', { resources: [{ type: 'staff', selectable: true, options: ['staff_ann'] }] }),
    service('svc_room', { resources: [{ type: 'room', options: ['room_1', 'room_2', 'room_3'] }] }),
    service('svc_short', {
      duration: { fixed: 'PT30M' },
      resources: [
        { type: 'room', options: ['room_1'] },
        { type: 'staff', options: ['staff_ann'] },
      ],
    }),
    service('svc_queue', {
      capacity: { waitlist: true },
      resources: [{ type: 'staff', selectable: true, options: ['staff_bea'] }],
    }),
    service('svc_duo', {
      capacity: { waitlist: true },
      resources: [
        { type: 'equipment', selectable: true, options: ['harp'] },
        { type: 'staff', selectable: true, options: ['staff_bea'] },
      ],
    }),
    service('svc_class', { type: 'group', capacity: { max: 8 }, sessions: [{ days: EVERY_DAY, starts: '10:00' }] }),
  ],
  {
    hours: daily('09:00', '11:00'),
    resources: [
      { id: 'staff_ann', type: 'staff', name: 'Ann' },
      { id: 'staff_bea', type: 'staff', name: 'Bea' },
      { id: 'harp', type: 'equipment', name: 'Harp' },
      ...['room_1', 'room_2', 'room_3'].map((id) => ({ id, type: 'room', name: id }) as const),
    ],
  },
)

// Two servers on one database, as replicas are.
const databaseUrl = await freshDatabase()
const shop = await testShop(definition, { databaseUrl })
const replica = await testShop(definition, { databaseUrl })
const desks: Desk[] = [restDesk(shop), mcpDesk(replica), restDesk(replica), mcpDesk(shop)]
const [desk = restDesk(shop)] = desks
const platforms: Who[] = await Promise.all(Array.from({ length: 24 }, () => shop.newPlatform()))

const [first = {}, second = {}] = platforms

/** Each caller another platform, by turns on either server and either binding. */
const atOnce = (count: number, call: (desk: Desk, as: Who, index: number) => Promise<Said>) =>
  Promise.all(
    Array.from({ length: count }, (_, index) =>
      call(desks[index % desks.length] ?? desk, platforms[index] ?? shop.platform, index),
    ),
  )

const codes = (said: Said[]) => said.map(({ code }) => code ?? 'had').sort()
const had = (said: Said[]) => said.filter(({ code }) => code === undefined)

function holdsLapse() {
  for (const one of [shop, replica]) one.minutesLater(10)
}
// Nobody knows who wins: whoever did three times would be refused for having three holds.
afterEach(holdsLapse)

const unused = Array.from({ length: 50 }, (_, day) =>
  new Date(Date.UTC(2026, 10, 24 + day)).toISOString().slice(0, 10),
).values()
const nextDay = () => on(unused.next().value ?? '')
const slotOf = async (id: string, day = nextDay()) => (await desk.slots(id, day))[0]

test('[HLD-013] who asks at once for somebody and for whoever is free does not wait for itself', async () => {
  for (const as of platforms.slice(0, 8)) {
    const day = nextDay()
    const [named, free] = await Promise.all([desk.slots('svc_cut', day), desk.slots('svc_short', day)])
    const wished = [named[0], free[1], free[0], named[1]]
    const said = await Promise.all(wished.map((slot, index) => (desks[index] ?? desk).hold(slot, {}, { as })))
    expect(['had', 'slot_unavailable']).toEqual(expect.arrayContaining(codes(said)))
  }
})

test('[HLD-013] of twenty who hold one slot at once one has it', async () => {
  const slot = await slotOf('svc_cut')
  const all = await atOnce(20, (one, as) => one.hold(slot, {}, { as }))
  expect(codes(all)).toEqual(['had', ...Array(19).fill('slot_unavailable')])
  for (const { data, status } of all) expect('hold' in data || status === 200).toBe(true)
})

test('[HLD-013] [HLD-012] so too when half of them book and others want what overlaps', async () => {
  const day = nextDay()
  const [slot, overlapping] = [await slotOf('svc_cut', day), (await desk.slots('svc_short', day))[1]]
  const all = await atOnce(24, (one, as, index) => {
    if (index % 3 === 0) return one.hold(slot, {}, { as })
    return index % 3 === 1 ? one.book(slot, {}, { as }) : one.hold(overlapping, {}, { as })
  })
  expect(codes(all)).toEqual(['had', ...Array(23).fill('slot_unavailable')])
})

test('[HLD-012] [AVL-023] of three rooms twenty who hold at once have three', async () => {
  const slot = await slotOf('svc_room')
  const all = await atOnce(20, (one, as) => one.hold(slot, {}, { as }))
  expect(codes(all)).toEqual(['had', 'had', 'had', ...Array(17).fill('slot_unavailable')])
})

test('[HLD-013] of twenty who hold what has just lapsed one has it', async () => {
  const slot = await slotOf('svc_cut')
  expect((await desk.hold(slot, {}, { as: shop.platform })).code).toBeUndefined()
  holdsLapse()
  expect(codes(await atOnce(20, (one, as) => one.hold(slot, {}, { as })))).toEqual([
    'had',
    ...Array(19).fill('slot_unavailable'),
  ])
})

test.each([1, 2, 3])(
  '[HLD-022] holds and bookings of a class of eight, %i at a time, never take nine places',
  async (most) => {
    const slot = await slotOf('svc_class')
    const wishes = Array.from({ length: 24 }, (_, index) => 1 + ((index * 7) % most))
    const all = await atOnce(24, (one, as, index) =>
      index % 2 === 0
        ? one.hold(slot, { spots: wishes[index] }, { as })
        : one.book(slot, { party_size: wishes[index] }, { as }),
    )
    const taken = had(all).reduce((sum, { data }) => sum + (data.hold?.spots ?? data.booking.party_size), 0)
    expect(taken).toBeLessThanOrEqual(8)
    expect(taken).toBeGreaterThan(8 - most)
    expect(codes(all).filter((code) => !['had', 'slot_unavailable', 'capacity_exceeded'].includes(code))).toEqual([])
    const rows = await shop.runtime.db
      .selectFrom('seats')
      .innerJoin('sessions', 'sessions.id', 'session_id')
      .select('spots')
      .where('starts_at', '=', new Date(slot.start))
      .execute()
    expect(rows.reduce((sum, { spots }) => sum + spots, 0)).toBe(taken)
  },
)

test('[HLD-036] while a hold becomes a booking nobody comes between', async () => {
  for (let round = 0; round < 5; round++) {
    const slot = await slotOf('svc_cut')
    const { hold } = (await desk.hold(slot, {}, { as: first })).data
    const all = await atOnce(24, (one, as, index) => {
      if (index === 0) return one.book(slot, { hold_id: hold.id }, { as })
      return index % 2 === 0 ? one.hold(slot, {}, { as }) : one.book(slot, {}, { as })
    })
    expect(all[0]?.data.booking?.status).toBe('confirmed')
    expect(codes(all.slice(1))).toEqual(Array(23).fill('slot_unavailable'))
  }
})

test('[HLD-036] nor while the places of a class do', async () => {
  const slot = await slotOf('svc_class')
  const held = [await desk.hold(slot, { spots: 4 }, { as: first }), await desk.hold(slot, { spots: 4 }, { as: second })]
  const all = await atOnce(24, (one, as, index) => {
    const hold_id = held[index]?.data.hold.id
    if (hold_id) return one.book(slot, { hold_id, party_size: 4 }, { as })
    return index % 2 === 0 ? one.hold(slot, {}, { as }) : one.book(slot, {}, { as })
  })
  expect(all.slice(0, 2).map(({ data }) => data.booking?.party_size)).toEqual([4, 4])
  expect(codes(all.slice(2))).toEqual(Array(22).fill('slot_unavailable'))
})

test.each(['svc_queue', 'svc_duo'])(
  '[HLD-026] what is released while others want it, and some queue for %s, is given to one of them',
  async (queued) => {
    for (let round = 0; round < 3; round++) {
      const day = nextDay()
      const [slot, wanted] = [await slotOf('svc_queue', day), await slotOf(queued, day)]
      const { hold } = (await desk.hold(slot, {}, { as: first })).data
      const query = { service_id: queued, slot_id: wanted.id, buyer }
      expect((await desk.call('usp_waitlist_join', query, { as: second })).code).toBeUndefined()
      const all = await atOnce(24, (one, as, index) =>
        index === 8 ? desk.release(hold.id, { as: first }) : one.hold(wanted, {}, { as }),
      )
      expect(all[8]?.data.hold.status).toBe('released')
      const no = ['slot_unavailable', 'service_unavailable']
      const others = codes(all.toSpliced(8, 1)).filter((code) => !no.includes(code))
      expect(['', 'had']).toContain(others.join())
      expect(await desk.slots(queued, { ...day, limit: 1 })).not.toContainEqual(wanted)
    }
  },
)

test('[HLD-013] many who wait for one slot do not keep each other from what they need to go on', async () => {
  const slot = await slotOf('svc_cut')
  const blocker = await replica.runtime.db.startTransaction().execute()
  await resourcesLock(blocker, ['staff_ann'])
  const all = Promise.all(platforms.map((as) => desk.hold(slot, {}, { as })))
  // Longer than a definition is taken to be in force without asking, for which each needs a connection.
  await new Promise((resolve) => setTimeout(resolve, 1500))
  await blocker.commit().execute()
  expect(codes(await all)).toEqual(['had', ...Array(23).fill('slot_unavailable')])
})
