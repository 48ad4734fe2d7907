import { describe, expect, test } from 'vitest'
import type { BusinessDefinition, OpeningWindow } from '../../src/protocol/types.generated.ts'
import { businessWith, service } from '../support/definitions.ts'
import { mcpDesk, restDesk, testShop } from '../support/desk.ts'
import { daily, EVERY_DAY, idsOf, on, type Timed } from './week.ts'

const lasting = (id: string, fixed: string, more = {}) => service(id, { duration: { fixed }, ...more })

function businessIn(timezone: string, hours: OpeningWindow[]): BusinessDefinition {
  const { business, ...rest } = businessWith(
    [
      lasting('svc_half', 'PT30M'),
      lasting('svc_long', 'PT3H'),
      lasting('svc_class', 'PT30M', {
        type: 'group',
        capacity: { max: 3 },
        sessions: ['01:30', '02:30'].map((starts) => ({ days: EVERY_DAY, starts })),
      }),
    ],
    { hours },
  )
  return { ...rest, business: { ...business, timezone } }
}

/** `01:30-04:00` */
const written = (slots: Timed[]) => slots.map(({ start }) => `${start.slice(11, 16)}${start.slice(-6)}`)

async function desksIn(timezone: string, now: string, hours = daily('00:00', '05:00')) {
  const shop = await testShop(businessIn(timezone, hours))
  shop.time.now = new Date(now)
  await shop.apply({ ...businessIn(timezone, hours), availability: { max_days: 14 } })
  return [restDesk(shop), mcpDesk(shop)] as const
}

describe('where clocks jump from 02:00 to 03:00', async () => {
  const desks = await desksIn('America/New_York', '2027-03-10T12:00:00Z')
  const jump = on('2027-03-14')

  test.each(desks)('[AVL-065] no slot starts in the hour that is skipped, and none twice ($binding)', async (desk) => {
    const slots = await desk.slots('svc_half', jump)
    expect(written(slots)).toEqual([
      ...['00:00-05:00', '00:30-05:00', '01:00-05:00', '01:30-05:00'],
      ...['03:00-04:00', '03:30-04:00', '04:00-04:00', '04:30-04:00'],
    ])
    expect(new Set(idsOf(slots)).size).toBe(slots.length)
    expect(new Set(slots.map(({ start }) => Date.parse(start))).size).toBe(slots.length)
  })

  test.each(desks)('[AVL-065] a slot across the change lasts as long as any ($binding)', async (desk) => {
    const slots = await desk.slots('svc_long', jump)
    expect(written(slots)).toEqual(['00:00-05:00', '00:30-05:00', '01:00-05:00'])
    expect(slots[2]).toMatchObject({ duration: 'PT180M', end: '2027-03-14T05:00:00-04:00' })
    const { data } = await desk.hold(slots[2])
    expect((await desk.release(data.hold.id)).data.hold.status).toBe('released')
  })

  test.each(desks)('[AVL-065] a class of that hour takes place once, an hour on ($binding)', async (desk) => {
    expect(written(await desk.slots('svc_class', jump))).toEqual(['01:30-05:00', '03:30-04:00'])
  })
})

describe('where clocks go back from 02:00 to 01:00', async () => {
  const desks = await desksIn('America/New_York', '2026-10-30T12:00:00Z')
  const back = on('2026-11-01')

  test.each(desks)('[AVL-066] the hour that comes twice has slots both times ($binding)', async (desk) => {
    const slots = await desk.slots('svc_half', back)
    expect(written(slots)).toEqual([
      ...['00:00-04:00', '00:30-04:00', '01:00-04:00', '01:30-04:00', '01:00-05:00', '01:30-05:00'],
      ...['02:00-05:00', '02:30-05:00', '03:00-05:00', '03:30-05:00', '04:00-05:00', '04:30-05:00'],
    ])
    expect(new Set(slots.map(({ start }) => Date.parse(start))).size).toBe(slots.length)
  })

  test('[AVL-066] both can be booked, and are two', async () => {
    const slots = (await desks[0].slots('svc_half', back)).filter(({ start }) => start.includes('T01:30'))
    for (const slot of slots) expect((await desks[0].book(slot)).data.booking.slot.start).toBe(slot.start)
    expect(written(await desks[0].slots('svc_half', back))).not.toContain('01:30-04:00')
  })

  test.each(desks)('[AVL-066] a class of that hour takes place once ($binding)', async (desk) => {
    expect(written(await desk.slots('svc_class', back))).toEqual(['01:30-04:00', '02:30-05:00'])
  })
})

describe.each([
  ['opens in the hour that is skipped', daily('02:30', '04:00'), ['03:00-04:00', '03:30-04:00']],
  ['closes in the hour that is skipped', daily('00:30', '02:30'), ['00:30-05:00', '01:00-05:00', '01:30-05:00']],
  ['is open in the hour that is skipped alone', daily('02:00', '03:00'), []],
])('a business that %s', async (_, hours, expected) => {
  const [desk] = await desksIn('America/New_York', '2027-03-10T12:00:00Z', hours)

  test('[AVL-065] [AVL-059] keeps to its hours on that day', async () => {
    expect(written(await desk.slots('svc_half', on('2027-03-14')))).toEqual(expected)
  })
})

describe.each([
  ['Africa/Cairo', '2026-04-24', '2026-04-20T00:00:00Z', '01:00+03:00', 8],
  ['Australia/Lord_Howe', '2026-10-04', '2026-10-01T00:00:00Z', '00:00+10:30', 9],
  ['America/Havana', '2026-11-01', '2026-10-30T00:00:00Z', '00:00-04:00', 12],
  ['Pacific/Chatham', '2027-04-04', '2027-04-01T00:00:00Z', '00:00+13:45', 12],
])('in %s', async (zone, day, now, first, count) => {
  const [desk] = await desksIn(zone, now)

  test(`[AVL-065] [AVL-066] the day of the change begins at ${first} and has ${count} half hours until five`, async () => {
    const slots = await desk.slots('svc_half', on(day))
    expect([written(slots)[0], slots.length]).toEqual([first, count])
  })
})
