import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { type AvailableTime, availableTime, availableTimes } from '../../src/domain/availability/available-times.ts'
import { scheduledLazily } from '../../src/domain/availability/cached-scheduled-times.ts'
import {
  isLazyWorthwhile,
  LazyOccupancy,
  resourcesToReadFirst,
} from '../../src/domain/availability/load-occupancy-on-demand.ts'
import { occupancyFromSpans } from '../../src/domain/availability/resource-occupancy.ts'
import { planOf } from '../../src/domain/availability/service-scheduling-plan.ts'
import { MINUTE } from '../../src/infra/time/time-units.ts'
import { businessWith, service } from '../support/definitions.ts'
import { onBothDesks, testShop } from '../support/desk.ts'
import { lineOf } from '../waitlist/queue.ts'
import { daily, hours, on } from './week.ts'

const [PEOPLE, ROOMS] = [200, 40]
const people = Array.from({ length: PEOPLE }, (_, nth) => `staff_${nth + 1}`)
const rooms = Array.from({ length: ROOMS }, (_, nth) => `room_${nth + 1}`)
const definition = businessWith(
  [
    service('svc_chain', {
      resources: [
        { type: 'staff', selectable: true, options: people },
        { type: 'room', options: rooms },
      ],
    }),
    service('svc_line', {
      capacity: { max: 1, waitlist: true },
      resources: [
        { type: 'staff', selectable: true, options: people },
        { type: 'room', options: rooms },
      ],
    }),
    service('svc_few', {
      resources: [
        { type: 'staff', selectable: true, options: people.slice(0, 5) },
        { type: 'room', options: rooms },
      ],
    }),
    service('svc_table', {
      type: 'reservation',
      capacity: { max: 4 },
      resources: [{ type: 'staff', options: people }],
    }),
  ],
  {
    hours: daily('09:00', '12:00'),
    resources: [
      ...people.map((id) => ({ id, type: 'staff' as const, name: id })),
      ...rooms.map((id) => ({ id, type: 'room' as const, name: id })),
    ],
  },
)
/** Of people and rooms about whom nobody has asked. */
const planFor = (id: string) => {
  const plan = planOf(structuredClone(definition), id)
  if (!plan) throw new Error(`There is no ${id}.`)
  return plan
}

const HOUR = 3_600_000
const NINE = Date.parse('2026-11-24T09:00:00-05:00')
const range = [NINE, NINE + 3 * HOUR] as const

type Taken = ReadonlyMap<string, readonly (readonly [from: number, to: number])[]>

/** Looks at times one after the other until it has so many, and says of how many was read each time. */
async function lookedAt(id: string, taken: Taken, wanted = Number.POSITIVE_INFINITY, plan = planFor(id)) {
  const all = new Map([...taken].map(([id, spans]) => [id, occupancyFromSpans(spans)]))
  const reads: number[] = []
  const busy = new LazyOccupancy(plan, async (ids) => {
    reads.push(ids.length)
    return { get: (id) => (ids.includes(id) ? all.get(id) : undefined) }
  })
  await busy.read(isLazyWorthwhile(plan) ? resourcesToReadFirst(scheduledLazily(plan, range)) : undefined)
  const found: AvailableTime[] = []
  for (const scheduled of scheduledLazily(plan, range)) {
    const time = await busy.withLoaded(() => availableTime(plan, busy, scheduled, 1))
    if (time) found.push(time)
    if (found.length === wanted) break
  }
  return { found, reads, expected: availableTimes(plan, all, range) }
}

const brief = (times: AvailableTime[]) => times.map(({ start, picks }) => `${start} ${picks}`)
const takenUp = (ids: readonly string[], from = 0, length = 3): Taken =>
  new Map(ids.map((id) => [id, [[NINE + from * HOUR, NINE + (from + length) * HOUR]]]))

test('of hundreds of people and rooms those are read who are looked at', async () => {
  const page = 51
  const { found, expected, reads } = await lookedAt('svc_chain', new Map(), page)
  expect(brief(found)).toEqual(brief(expected.slice(0, page)))
  expect(reads).toEqual([128 + 20])
  const { reads: ofFew } = await lookedAt('svc_few', new Map(), page)
  expect(ofFew).toEqual([5 + ROOMS])
})

test.each([
  ['the first rooms are taken', takenUp(rooms.slice(0, 30)), [128 + 20, 20, PEOPLE - 128]],
  ['all rooms are taken', takenUp(rooms), [128 + 20, 20, PEOPLE - 128]],
  ['all people are taken', takenUp(people), [128 + 20, PEOPLE - 128]],
])('where %s, what is found is as true, and everybody is read once', async (_, taken, reads) => {
  const seen = await lookedAt('svc_chain', taken)
  expect(brief(seen.found)).toEqual(brief(seen.expected))
  expect(seen.reads).toEqual(reads)
})

test('where the first rooms were not enough, whoever asks next reads all of them at once, for a minute', async () => {
  const chain = planFor('svc_chain')
  const page = async () => (await lookedAt('svc_chain', takenUp(rooms.slice(0, 30)), 51, chain)).reads
  expect([await page(), await page()]).toEqual([[128 + 20, 20], [128 + ROOMS]])
  const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + MINUTE)
  expect(await page()).toEqual([128 + 20, 20])
  now.mockRestore()
})

test('whoever asks for a room by name, while others are free, has nobody read all of them', async () => {
  const chain = planFor('svc_chain')
  const times = () => scheduledLazily(chain, range)
  const busy = new LazyOccupancy(chain, async () => new Map())
  await busy.read(resourcesToReadFirst(times()))
  await busy.withLoaded(() => busy.get('room_21'))
  expect(busy.reads).toBe(2)
  expect(resourcesToReadFirst(times()).size).toBe(128 + 20)
})

test('whose seats are counted for each time are read together', async () => {
  expect((await lookedAt('svc_table', takenUp(people.slice(0, 60)), 1)).reads).toEqual([PEOPLE])
})

test('whoever is taken, what is found is what is found where everybody was read', async () => {
  const some = (ids: string[]) =>
    fc.record({
      ids: fc.subarray(ids),
      first: fc.nat(ids.length),
      from: fc.integer({ min: 0, max: 2 }),
      length: fc.integer({ min: 1, max: 3 }),
    })
  await fc.assert(
    fc.asyncProperty(some(people), some(rooms), fc.constantFrom('svc_chain', 'svc_few'), async (who, where, id) => {
      const taken = [who, where].flatMap(({ ids, from, length }) => [...takenUp(ids, from, length)])
      const full = [
        ...takenUp(rooms.slice(0, where.first), where.from),
        ...takenUp(people.slice(0, who.first), who.from),
      ]
      const { found, expected } = await lookedAt(id, new Map([...taken, ...full]))
      expect(brief(found)).toEqual(brief(expected))
    }),
    { numRuns: 100 },
  )
})

await onBothDesks(
  () => testShop(definition),
  (desk, { runtime: { db } }) => {
    const [day, other, line] = ['2026-11-24', '2026-11-25', '2026-11-26']
    const take = (ids: string[], from: string, to: string) =>
      sql`insert into claims (resource_id, during, holder_kind, holder_id)
        select id, tstzrange(${from}, ${to}), 'block', id || ${from} from unnest(${ids}::text[]) id`.execute(db)

    test('what is taken of a hundred rooms or people is free to nobody, and the last of them is found', async () => {
      await take(rooms.slice(0, -1), `${day}T09:00:00-05:00`, `${day}T11:00:00-05:00`)
      await take(rooms.slice(-1), `${day}T11:00:00-05:00`, `${day}T12:00:00-05:00`)
      await take(people.slice(1), `${day}T09:00:00-05:00`, `${day}T12:00:00-05:00`)
      const slots = await desk.slots('svc_chain', on(day))
      expect(hours(slots)).toEqual(['09:00', '09:30', '10:00', '11:00'])
      expect(hours(await desk.slots('svc_chain', { ...on(day), resource_id: 'room_40' }))).toEqual([
        '09:00',
        '09:30',
        '10:00',
      ])
      expect(hours(await desk.slots('svc_chain', { ...on(day), resource_id: 'room_1' }))).toEqual(['11:00'])
      expect((await desk.slots('svc_chain', { ...on(other), limit: 50 })).length).toBe(50)
    })

    test('who waits for one of hundreds is offered what comes free', async () => {
      const { join, leave, entry } = lineOf(desk)
      const [slot] = await desk.slots('svc_line', on(line))
      const { booking } = (await desk.book(slot)).data
      const ann = await join('Ann', { service_id: 'svc_line', slot_id: slot.id })
      expect(ann.data.entry.status).toBe('waiting')
      expect((await desk.cancel(booking.id)).code).toBeUndefined()
      expect(await entry(ann.data.entry.id)).toMatchObject({ status: 'offered', offered_slot: { slot_id: slot.id } })
      await leave(ann.data.entry.id)
      const bob = await join('Bob', { service_id: 'svc_line', slot_id: slot.id })
      expect(bob.data.entry).toMatchObject({ status: 'offered' })
      await leave(bob.data.entry.id)
    })

    test('why there is nothing with one of a hundred is told', async () => {
      const asked = { service_id: 'svc_chain', start_date: `${day}T09:00:00-05:00`, resource_id: 'room_1' }
      const { data, status } = await desk.call('usp_availability_explain', asked)
      expect(status).toBe(200)
      expect(data.instead.map(({ differs }: { differs: string }) => differs)).toContain('resource')
    })
  },
)
