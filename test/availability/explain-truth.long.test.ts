import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type AvailableTime, availableTimes } from '../../src/domain/availability/available-times.ts'
import { explain } from '../../src/domain/availability/explain-no-times.ts'
import { bookableRange } from '../../src/domain/availability/find-available-times.ts'
import { occupancyFromSpans } from '../../src/domain/availability/resource-occupancy.ts'
import { type Plan, planOf } from '../../src/domain/availability/service-scheduling-plan.ts'
import { type AvailabilityRequest, matchesRequest } from '../../src/domain/availability/unavailable-reasons.ts'
import type { Database } from '../../src/infra/db/database.ts'
import { DAY, MINUTE } from '../../src/infra/time/time-units.ts'
import { startOfDay } from '../../src/infra/time/time-zone.ts'
import { businessWith, service } from '../support/definitions.ts'
import { testShop } from '../support/desk.ts'
import { everythingOffered, type Taken } from './brute-force.ts'
import { caseOf } from './schedules.ts'

const shop = await testShop(businessWith([service('svc')]))
const { db } = shop.runtime
const { now } = shop.time
const day = '2026-11-25'

async function take(db: Database, taken: Taken) {
  await sql`delete from claims`.execute(db)
  for (const [resource, spans] of taken)
    for (const [from, to] of spans)
      await sql`insert into claims (resource_id, during, holder_kind, holder_id)
        values (${resource}, tstzrange(${new Date(from)}, ${new Date(to)}), 'block', ${`${resource} ${from}`})`.execute(
        db,
      )
}

/** What there is in a range, of everything that is free: reckoned in one piece, without a database. */
function allThatFit(
  plan: Plan,
  taken: Taken,
  asked: AvailabilityRequest,
  range: AvailabilityRequest['range'],
): AvailableTime[] {
  const busy = new Map([...taken].map(([id, spans]) => [id, occupancyFromSpans(spans)]))
  const [from, to] = bookableRange(plan, range, now)
  if (from >= to) return []
  return availableTimes(plan, busy, [from, to], asked.party).filter(
    (time) =>
      time.capacity?.remaining !== 0 &&
      matchesRequest(time, asked) &&
      (asked.duration === undefined || time.end - time.start === asked.duration),
  )
}

const keyOf = ({ start, end, location, picks }: AvailableTime) => [start, end, location, ...picks].join(' ')

const UNSCHEDULED = ['closed', 'nobody_there', 'not_at_once', 'other_times']

const seldom = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })

const wishes = fc.record({
  resource: seldom(fc.constantFrom('r_1', 'r_2', 'r_3')),
  location: seldom(fc.constantFrom('loc_a', 'loc_b')),
  /** Which of the lengths; there may not be so many. */
  length: seldom(fc.nat({ max: 2 })),
  /** Minutes of the day, and for how many minutes; for none it is one instant. */
  at: fc.nat({ max: 1439 }),
  for: fc.constantFrom(0, 0, 45, 240, 1440),
  onGrid: fc.boolean(),
})

test('[explained as it is] what is explained agrees with what is offered, over many businesses and instants', {
  timeout: 240_000,
}, async () => {
  const codes = new Set<string>()
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('America/New_York', 'Asia/Kolkata').chain((zone) => caseOf(zone, day)),
      fc.array(wishes, { minLength: 8, maxLength: 8 }),
      async ({ definition, service, taken, party }, all) => {
        await take(db, taken)
        const plan = planOf(definition, service.id)
        if (!plan) throw new Error('no plan')
        const midnight = startOfDay(plan.zone, day)
        for (const { resource, location, length, at, for: minutes, onGrid } of all) {
          const from = midnight + (onGrid ? at - (at % 15) : at) * MINUTE
          const range = [from, Math.max(from + minutes * MINUTE, from + 1)] as const
          const duration = length === undefined ? undefined : (plan.durations[length] ?? MINUTE)
          const asked = { range, party, resource, location, duration }
          const { free, reasons, instead } = await explain(db, plan, asked, { now, queues: false })
          const offered = allThatFit(plan, taken, asked, range)
          expect(free.map(keyOf)).toEqual(offered.slice(0, 3).map(keyOf))
          expect(reasons.length > 0).toBe(offered.length === 0)
          for (const code of reasons) codes.add(code)
          const [code = ''] = reasons
          if (resource === undefined && location === undefined && duration === undefined) {
            const model = (taken: Taken, party: number) =>
              everythingOffered({ definition, service, range, taken, party })
            expect(free.length > 0).toBe(model(taken, party).length > 0)
            if (UNSCHEDULED.includes(code)) expect(model(new Map(), 1)).toEqual([])
            if (['taken', 'fully_booked'].includes(code)) expect(model(new Map(), 1)).not.toEqual([])
          }
          if (free.length === 0) expectNearest(plan, taken, asked, instead)
        }
      },
    ),
    { numRuns: 100 },
  )
  // Which of them occur is chance; that most do is not.
  expect(codes.size).toBeGreaterThan(4)
})

type Instead = Awaited<ReturnType<typeof explain>>['instead']

/** Everything that is told instead can be had, and nothing of its kind is nearer. */
function expectNearest(plan: Plan, taken: Taken, asked: AvailabilityRequest, instead: Instead) {
  const told = (differs: string) => instead.filter((one) => one.differs === differs).map(({ time }) => keyOf(time))
  const [from, to] = asked.range
  const [earlier] = told('earlier')
  const before = allThatFit(plan, taken, asked, [from - 7 * DAY, from])
  if (before.length > 0) expect(earlier).toBe(before.map(keyOf).at(-1))
  const [later] = told('later')
  const after = allThatFit(plan, taken, asked, [to, to + 7 * DAY]).map(keyOf)
  if (after.length > 0) expect(later).toBe(after[0])
  for (const differs of ['resource', 'location', 'duration'] as const) {
    const others = allThatFit(plan, taken, { ...asked, [differs]: undefined }, asked.range).map(keyOf)
    for (const one of told(differs)) expect(others).toContain(one)
  }
}
