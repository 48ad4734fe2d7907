import { describe, expect, test } from 'vitest'
import { freshDatabase } from '../support/database.ts'
import { businessWith, service } from '../support/definitions.ts'
import { type Desk, onBothDesks, restDesk, testShop, WEEK } from '../support/desk.ts'
import { START } from '../support/server.ts'
import { daily, idsOf, on, type Timed } from './week.ts'

const staff = ['staff_ann', 'staff_ben', 'staff_cem']
const cut = (id: string) => service(id, { resources: [{ type: 'staff', selectable: true, options: staff }] })
const definition = businessWith(
  [
    cut('svc_cut'),
    cut('svc_other'),
    service('svc_range', { duration: { range: { min: 'PT30M', max: 'PT2H', step: 'PT30M' } } }),
  ],
  { hours: daily('08:00', '20:00'), resources: staff.map((id) => ({ id, type: 'staff', name: id })) },
)

/** Seven days of 23 half hours, each with one of three people. */
const ALL = 7 * 23 * 3

const query = (desk: Desk, input: Record<string, unknown> = {}) =>
  desk.call('usp_availability_query', { service_id: 'svc_cut', ...WEEK, ...input }, { as: {} })

async function pages(desk: Desk, input: Record<string, unknown>): Promise<Timed[][]> {
  const found: Timed[][] = []
  for (let cursor: string | undefined; cursor !== null; ) {
    const { data } = await query(desk, { ...input, ...(cursor !== undefined && { cursor }) })
    expect(data.pagination.has_more).toBe(data.pagination.cursor !== null)
    found.push(data.slots)
    cursor = data.pagination.cursor
  }
  return found
}

const seconds = (after: number) => new Date(START.getTime() + after * 1000)

await onBothDesks(
  () => testShop(definition),
  (desk, shop) => {
    const { time } = shop
    const firstCursor = async (input = {}) => (await query(desk, { limit: 10, ...input })).data.pagination.cursor

    test('[AVL-049] [AVL-050] [PAG-002] [PAG-008] a page has fifty slots, and says that there are more', async () => {
      const { data } = await query(desk)
      expect(data.slots).toHaveLength(50)
      expect(data.pagination).toEqual({ cursor: expect.any(String), has_more: true })
    })

    test.each([
      ['svc_cut', 50, ALL],
      ['svc_cut', 7, ALL],
      ['svc_range', 13, 7 * (24 + 23 + 22 + 21)],
    ])(
      '[AVL-024] [AVL-050] [AVL-051] [PAG-022] pages of %s have each slot once, in order: %i a page',
      async (service_id, limit, count) => {
        const slots = (await pages(desk, { service_id, limit })).flat()
        const whole = (await pages(desk, { service_id, limit: 200 })).flat()
        expect(slots).toEqual(whole)
        expect(new Set(idsOf(slots)).size).toBe(slots.length)
        const starts = slots.map(({ start }) => Date.parse(start))
        expect(starts).toEqual(starts.toSorted((one, other) => one - other))
        expect(slots).toHaveLength(count)
      },
    )

    test('[AVL-050] the last page says that it is, also where it is the only one or empty', async () => {
      const last = { cursor: null, has_more: false }
      expect((await query(desk, { ...on('2026-11-24'), limit: 69 })).data.pagination).toEqual(last)
      expect((await query(desk, { ...on('2026-11-24'), limit: 68 })).data.pagination.has_more).toBe(true)
      expect((await query(desk, on('2026-11-01'))).data.pagination).toEqual(last)
    })

    test('[AVL-051] what is taken between two pages neither repeats nor skips another slot', async () => {
      const { data } = await query(desk, { limit: 10 })
      const all = (await pages(desk, { limit: 50 })).flat()
      const [early, late] = [data.slots[2], all[100]]
      const holds = [await desk.hold(early), await desk.hold(late)]
      const rest = await query(desk, { cursor: data.pagination.cursor, limit: 200 })
      for (const { data } of holds) await desk.release(data.hold.id)
      const gone = Date.parse(late?.start ?? '')
      const stillFree = all
        .slice(10)
        .filter(
          (slot) => Math.abs(Date.parse(slot.start) - gone) >= 3_600_000 || slot.resources?.[0]?.id !== 'staff_ben',
        )
      expect(idsOf(rest.data.slots)).toEqual(idsOf(stillFree).slice(0, 200))
    })

    test.each([60, 15 * 60])('[AVL-052] a cursor works after %i seconds', async (after) => {
      time.now = START
      const cursor = await firstCursor()
      const next = await query(desk, { cursor, limit: 10 })
      time.now = seconds(after)
      expect((await query(desk, { cursor, limit: 10 })).data.slots).toEqual(next.data.slots)
      time.now = START
    })

    test('[AVL-053] [LIV-013] a cursor past its life is told apart', async () => {
      const cursor = await firstCursor()
      time.now = seconds(15 * 60 + 1)
      const { status, rpc, code } = await query(desk, { cursor })
      time.now = START
      expect(code).toBe('cursor_expired')
      expect(desk.binding === 'REST' ? status : rpc).toBe(desk.binding === 'REST' ? 400 : -32602)
    })

    test('[AVL-054] no altered or invented cursor opens a page', async () => {
      const cursor: string = await firstCursor()
      const altered = [...cursor].map(
        (letter, at) => cursor.slice(0, at) + (letter === 'A' ? 'B' : 'A') + cursor.slice(at + 1),
      )
      const list = (await desk.call('usp_services_list', { pagination: { limit: 1 } }, { as: {} })).data.pagination
        .cursor
      const invented = Buffer.from(JSON.stringify([START.getTime(), START.getTime(), 0, ''])).toString('base64url')
      for (const bad of [
        ...altered,
        list,
        invented,
        `${invented}.`,
        `${cursor}.`,
        `${cursor}é`,
        '.',
        ' ',
        'null',
        'é',
      ]) {
        const { code, data } = await query(desk, { cursor: bad })
        expect(code, bad).toBe('cursor_expired')
        expect(data).not.toHaveProperty('slots')
      }
    })

    test.each([
      { service_id: 'svc_other' },
      { start_date: '2026-11-25' },
      { end_date: '2026-11-29' },
      { timezone: 'Europe/Paris' },
      { resource_id: 'staff_ann' },
      { location_id: 'loc_moon' },
      { party_size: 2 },
    ])('[AVL-054] a cursor is of no use with %j', async (other) => {
      const cursor = await firstCursor()
      expect((await query(desk, { cursor, ...other })).code).toBe('cursor_expired')
      expect((await query(desk, { cursor })).code).toBeUndefined()
    })

    test('[AVL-055] more than 200 slots a page are not given, nor refused', async () => {
      const { data } = await query(desk, { limit: 1_000_000 })
      expect(data.slots).toHaveLength(200)
      expect(data.pagination.has_more).toBe(true)
    })
  },
)

describe('on two servers', async () => {
  const databaseUrl = await freshDatabase()
  const [one, other] = [await testShop(definition, { databaseUrl }), await testShop(definition, { databaseUrl })]

  test('[AVL-052] a cursor works on the server that did not issue it', async () => {
    const { data } = await query(restDesk(one), { limit: 10 })
    const { cursor } = data.pagination
    const [here, there] = [await query(restDesk(one), { cursor }), await query(restDesk(other), { cursor })]
    expect(there.data.slots).toEqual(here.data.slots)
  })
})
