import { describe, expect, test } from 'vitest'
import { asRecord } from '../../src/infra/util/object-members.ts'
import type { Operation } from '../../src/protocol/define-operation.ts'
import { selfContained } from '../../src/protocol/json-schemas.ts'
import { operations } from '../../src/server/all-operations.ts'
import { type ToldShop, toldShop } from '../events/told-shop.ts'
import { CENTRE, list as listBusiness, north } from '../registry/directory.ts'
import { fed } from '../registry/services.ts'
import { businessWith, service } from '../support/definitions.ts'
import { type Desk, onBothDesks, restDesk, WEEK } from '../support/desk.ts'
import { CLASS, classOfOne, lineOf } from '../waitlist/queue.ts'

type Input = Record<string, unknown>

/** The input of a list, and a value for each of its filters that at least two results match. */
interface Case {
  base: Input
  filters: Record<string, unknown>
  /** Members that a filter needs beside it. */
  beside?: Record<string, Input>
  /** Members that change how results are shown, not which there are. */
  shown?: string[]
}

const PAGE = ['cursor', 'limit', 'pagination.cursor', 'pagination.limit']
const takesCursor = (operation: Operation) => leavesOf(operation).some((name) => /(^|\.)cursor$/.test(name))
const lists = operations.filter(takesCursor)

/** The members of an input that are no objects of optional members, by their paths: `filters.price.min`. */
function leavesOf({ input }: Operation): string[] {
  const whole = asRecord(selfContained(input))
  const leaves = (schema: unknown, path: string): string[] => {
    const { $ref, properties, required } = asRecord(schema)
    if (typeof $ref === 'string') return leaves(asRecord(whole.$defs)[$ref.replace('#/$defs/', '')], path)
    if (!properties || (path !== '' && Array.isArray(required))) return [path.slice(1)]
    return Object.entries(asRecord(properties)).flatMap(([name, child]) => leaves(child, `${path}.${name}`))
  }
  return leaves(whole, '')
}

const merged = (one: Input, other: Input): Input => {
  const entries = Object.entries(other).map(([name, value]) => {
    const before = one[name]
    const areObjects = [before, value].every((side) => Object.getPrototypeOf(side ?? 0) === Object.prototype)
    return [name, areObjects ? merged(asRecord(before), asRecord(value)) : value]
  })
  return { ...one, ...Object.fromEntries(entries) }
}

/** `a.b` and 1: `{ a: { b: 1 } }`. */
const nested = (path: string, value: unknown): Input =>
  asRecord(path.split('.').reduceRight((inner, name) => ({ [name]: inner }), value))

const cut = (id: string) =>
  service(id, {
    name: 'Haircut',
    capacity: { max: 4 },
    categories: [{ taxonomy: 'merchant', id: 'hair', name: 'Hair', primary: true }],
    locations: ['loc_here'],
    resources: [{ type: 'staff', options: ['staff_ann', 'staff_ben'], selectable: true }],
  })

const definition = {
  ...businessWith(
    [
      cut('svc_a'),
      cut('svc_b'),
      classOfOne,
      service('svc_yoga', {
        type: 'group',
        capacity: { max: 9 },
        sessions: [{ days: ['friday'], starts: '18:00', resources: ['staff_ann'] }],
      }),
    ],
    {
      locations: [{ id: 'loc_here', name: 'Here' }],
      resources: [
        { id: 'staff_ann', type: 'staff', name: 'Ann' },
        { id: 'staff_ben', type: 'staff', name: 'Ben' },
      ],
    },
  ),
  registry: { enabled: true },
}

/** Two of everything that can be listed. */
async function filled(): Promise<ToldShop & { cases: Record<string, Case> }> {
  const shop = await toldShop(definition)
  const desk = restDesk(shop)
  const staff = (what: string, input: Input) => desk.call(`usp_business_${what}`, input, { as: shop.staff })
  const [yoga] = await desk.slots('svc_yoga')
  const ids: string[] = []
  for (const slot of [yoga, yoga, ...(await desk.slots('svc_a')).slice(0, 2)]) {
    const { id } = (await desk.book(slot)).data.booking
    await staff('bookings_correct', { booking_id: id, notes: 'By the window.' })
    ids.push(id)
  }
  const [moved = ''] = ids.splice(-1)
  for (const slot of (await desk.slots('svc_a')).slice(-2)) await desk.reschedule(moved, slot)
  await desk.cancel(moved)
  for (const hour of ['09', '10'])
    await staff('blocks_create', {
      resource_id: 'staff_ben',
      start: `2026-12-01T${hour}:00:00Z`,
      end: `2026-12-01T${hour}:30:00Z`,
    })
  const line = lineOf(desk)
  await line.fill()
  for (const name of ['Ann', 'Bob', 'Cid']) await line.wait(name)
  for (const nth of [1, 2]) {
    const place = { name: `House ${nth}`, location: north(nth) }
    const hint = { summary: '-', generated_at: '2026-11-20T06:00:00Z', next_available_date: '2026-11-24' }
    const piano = fed(`svc_${nth}`, {
      name: 'Piano',
      categories: [{ taxonomy: 'merchant', id: 'music' }],
      availability_hint: hint,
    })
    await listBusiness(shop.runtime.db, `reg_${nth}`, place, [piano])
  }
  const { deliveries } = (await staff('deliveries_list', { limit: 200 })).data
  const perSubject = Map.groupBy<string, { subject: string }>(deliveries, ({ subject }) => subject)
  const [subject] = [...perSubject].find(([, told]) => told.length > 1) ?? []
  const { sessions } = (await staff('sessions_list', { ...WEEK })).data
  const session_id = sessions.find((one: { service_id: string }) => one.service_id === 'svc_yoga')?.id
  const searched = {
    'location.coordinates': CENTRE,
    'location.radius_km': 50,
    verticals: ['appointment'],
    'context.locale': 'de',
    'context.currency': 'USD',
  }
  const around = { 'location.radius_km': { location: { coordinates: CENTRE } } }
  const inDollars = { price_range: { currency: 'USD', max: 90_000 } }
  return {
    ...shop,
    cases: {
      listServices: {
        base: {},
        filters: {
          query: 'haircut',
          'filters.type': 'appointment',
          'filters.category_id': 'hair',
          'filters.categories': ['hair'],
          'filters.location_id': 'loc_here',
          'filters.price.min': 1,
          'filters.price.max': 90_000,
          'context.address_country': 'US',
          'context.address_region': 'NY',
          'context.postal_code': '10001',
          'context.coordinates': { latitude: 40, longitude: -73 },
          'context.language': 'de',
          'context.currency': 'USD',
          'context.intent': 'a new look',
        },
      },
      getServiceFeed: { base: {}, filters: { location_id: 'loc_here' } },
      queryAvailability: {
        base: { service_id: 'svc_a', start_date: '2026-11-24', end_date: '2026-11-30' },
        filters: {
          service_id: 'svc_b',
          start_date: '2026-11-25',
          end_date: '2026-11-29',
          timezone: 'Europe/Berlin',
          resource_id: 'staff_ann',
          party_size: 2,
          location_id: 'loc_here',
        },
        shown: ['locale'],
      },
      listWaitlistEntries: { base: {}, filters: { service_id: CLASS, status: 'waiting' } },
      searchBusinesses: {
        base: { query: 'house' },
        filters: { ...searched, query: 'houses', categories: ['wellness'], deployment_mode: 'standalone' },
        beside: around,
      },
      searchServices: {
        base: { query: 'piano' },
        filters: {
          ...searched,
          query: 'pianos',
          categories: ['music'],
          'price_range.min': 1,
          'price_range.max': 80_000,
          'price_range.currency': 'USD',
          'price_range.match': 'contained',
          'duration_range.match': 'contained',
          'duration_range.min_minutes': 1,
          'duration_range.max_minutes': 600,
          desired_service_time_ranges: [{ at: '2026-11-25T15:00:00Z' }],
          prefer_sooner_availability_slots: false,
        },
        beside: {
          ...around,
          'price_range.min': { price_range: { currency: 'USD' } },
          'price_range.match': inDollars,
          'price_range.max': { price_range: { currency: 'USD' } },
          'price_range.currency': inDollars,
          'duration_range.match': { duration_range: { max_minutes: 900 } },
        },
      },
      listBusinessBookings: {
        base: {},
        filters: {
          start_date: '2026-11-21',
          end_date: '2026-12-24',
          resource_id: 'staff_ann',
          service_id: CLASS,
          session_id,
          statuses: ['confirmed'],
          came_from: 'platform',
          payment_claimed: false,
          query: 'alice',
          order: 'latest_first',
        },
      },
      listBusinessBookingChanges: { base: { booking_id: ids[0] }, filters: { booking_id: ids[1] } },
      listBlocks: { base: {}, filters: { resource_id: 'staff_ben' } },
      listBusinessWaitlist: {
        base: {},
        filters: { service_id: CLASS, statuses: ['waiting'], came_from: 'platform' },
      },
      listDeliveries: {
        base: {},
        filters: { status: 'waiting', receiver: deliveries[0].receiver, subject },
      },
    },
  }
}

test('[a cursor is bound to its filters] every list operation is tried, with every filter that it takes', async () => {
  const { cases } = await filled()
  expect(Object.keys(cases).sort()).toEqual(lists.map(({ id }) => id).sort())
  for (const operation of lists) {
    const { filters, shown = [] } = cases[operation.id] ?? { filters: {} }
    const leaves = leavesOf(operation).filter((name) => !PAGE.includes(name) && !shown.includes(name))
    expect(Object.keys(filters).sort(), operation.id).toEqual(leaves.sort())
  }
})

await onBothDesks(filled, (desk, shop) => {
  describe.each(lists)('[a cursor is bound to its filters] $id', (operation) => {
    const { base, filters, beside = {} } = shop.cases[operation.id] ?? { base: {}, filters: {} }
    const asked: [name: string, input: Input][] = [
      ['no filter', base],
      ...Object.entries(filters).map(([name, value]): [string, Input] => [
        name,
        merged(merged(base, beside[name] ?? {}), nested(name, value)),
      ]),
    ]
    const page = (input: Input, cursor?: string) => pageOf(desk, shop, operation, input, cursor)

    test.each(asked)('a cursor that was given for %s opens under it alone', async (name, input) => {
      const first = await page(input)
      const { cursor, next_cursor } = first.data.pagination
      const given: string = cursor ?? next_cursor
      expect([undefined, 'field_ignored']).toContain(first.code)
      expect(given).toEqual(expect.any(String))
      const opened: string[] = []
      for (const [other, theirs] of asked) {
        const { code } = await page(theirs, given)
        if (code !== 'cursor_expired') opened.push(other)
      }
      expect(opened).toEqual([name])
      const second = await page(input, given)
      expect(second.code).toBe(first.code)
      expect(idsOf(second.data)).not.toEqual(idsOf(first.data))
    })
  })
})

function pageOf(desk: Desk, shop: ToldShop, operation: Operation, input: Input, cursor?: string) {
  const where = { limit: 1, ...(cursor !== undefined && { cursor }) }
  const isNested = 'pagination' in operation.input.properties
  const as = { business_only: shop.staff, public: {}, privileged_platform: shop.platform, privileged_scoped: {} }
  return desk.call(
    operation.tool,
    { ...input, ...(isNested ? { pagination: where } : where) },
    { as: as[operation.access] },
  )
}

/** The results of a page. */
const idsOf = (data: Input) => Object.values(data).find(Array.isArray)
