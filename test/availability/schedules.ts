import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import type {
  BusinessDefinition,
  OpeningWindow,
  ResourceDefinition,
  Rota,
  ServiceDefinition,
  SpecialHours,
  SpecialOpening,
} from '../../src/protocol/types.generated.ts'
import { businessWith, service } from '../support/definitions.ts'
import type { Asked } from './brute-force.ts'
import { EVERY_DAY } from './week.ts'

const MINUTE = 60_000

const later = (day: string, days: number) => Temporal.PlainDate.from(day).add({ days }).toString()
const startOf = (zone: string, day: string) => Temporal.PlainDate.from(day).toZonedDateTime(zone).epochMilliseconds
const clock = (minutes: number) => new Date(minutes * MINUTE).toISOString().slice(11, 16)
const lasting = (minutes: number) => `PT${minutes}M`

const seldom = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })

/** Quarters of an hour, often of the early hours in which clocks are changed, and odd minutes. */
const quarters = (max: number) => fc.integer({ min: 0, max }).map((count) => count * 15)
const anyMinute = fc.oneof(
  { weight: 4, arbitrary: quarters(95) },
  { weight: 3, arbitrary: quarters(16) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 1439 }) },
)

const window: fc.Arbitrary<OpeningWindow> = fc
  .record({
    days: fc.oneof(fc.constant(EVERY_DAY), fc.subarray(EVERY_DAY, { minLength: 4 })),
    one: anyMinute,
    other: anyMinute,
    end: seldom(fc.constantFrom('24:00', '00:00')),
  })
  .map(({ days, one, other, end }) => ({
    days,
    opens: clock(Math.min(one, other)),
    closes: end ?? (one === other ? '24:00' : clock(Math.max(one, other))),
  }))
const hours: fc.Arbitrary<OpeningWindow[] | undefined> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(undefined) },
  { weight: 3, arbitrary: fc.array(window, { minLength: 1, maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constant<OpeningWindow[]>([{ days: EVERY_DAY, opens: '00:00', closes: '24:00' }]) },
)
const given = <Name extends string, T>(name: Name, value: T | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { [key in Name]?: T }

const PLACES = ['loc_a', 'loc_b']
const RESOURCES = ['r_1', 'r_2', 'r_3', 'r_4']

/** Away for days or for part of them, around the day in question. */
const timeOff = (day: string) =>
  fc
    .tuple(fc.integer({ min: -1, max: 1 }), fc.integer({ min: 0, max: 1 }), anyMinute, anyMinute, fc.boolean())
    .filter(([, , one, other, isWhole]) => isWhole || one !== other)
    .map(([from, days, one, other, isWhole]) =>
      isWhole
        ? { from: later(day, from), to: later(day, from + days) }
        : {
            from: `${later(day, from)}T${clock(Math.min(one, other))}`,
            to: `${later(day, from)}T${clock(Math.max(one, other))}`,
          },
    )

/** Weeks that alternate, begun before or after the day in question. */
const rota = (day: string): fc.Arbitrary<Rota> =>
  fc
    .tuple(fc.integer({ min: -40, max: 40 }), fc.array(hours, { minLength: 1, maxLength: 3 }))
    .map(([days, weeks]) => ({ begins: later(day, days), weeks: weeks.map((one) => given('hours', one)) }))

/** Other hours on days around the one in question. */
const special = (day: string): fc.Arbitrary<SpecialHours> =>
  fc
    .record({
      window,
      from: fc.integer({ min: -1, max: 1 }),
      more: fc.integer({ min: 0, max: 2 }),
      days: fc.boolean(),
      isOne: fc.boolean(),
    })
    .map(({ window: { opens, closes, days }, from, more, days: some, isOne }) => ({
      from: later(day, from),
      opens,
      closes,
      ...given('to', isOne ? undefined : later(day, from + more)),
      ...given('days', some ? days : undefined),
    }))

const resource = (day: string, id: string, places: string[]): fc.Arbitrary<ResourceDefinition> =>
  fc
    .record({
      hours,
      away: seldom(fc.array(timeOff(day), { minLength: 1, maxLength: 2 })),
      rota: seldom(rota(day)),
      special: seldom(fc.array(special(day), { minLength: 1, maxLength: 2 })),
      seats: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
      locations: places.length > 0 ? seldom(fc.subarray(places, { minLength: 1 })) : fc.constant(undefined),
    })
    .map(({ away, rota, special, hours, seats, locations }) => ({
      id,
      type: 'staff',
      name: id,
      ...given('special_hours', special),
      ...(rota ? { rota } : given('hours', hours)),
      ...given('time_off', away),
      ...given('seats', seats),
      ...given('locations', locations),
    }))

const wanted = fc.array(
  fc.record({ selectable: fc.boolean(), options: fc.subarray(RESOURCES, { minLength: 1, maxLength: 3 }) }),
  { maxLength: 2 },
)

/** Of one kind alone, which shares nobody with another. */
function rulesFor(own: { resources: string[]; minutes: number }[], [kind, other]: { options: string[] }[]) {
  const named = kind?.options.some((id) => other?.options.includes(id)) ? [] : (kind?.options ?? [])
  return own
    .map(({ resources, minutes }) => ({
      resources: resources.filter((id) => named.includes(id)),
      fixed: lasting(minutes),
    }))
    .filter(({ resources }) => resources.length > 0)
}

const serviceOf = (places: string[]): fc.Arbitrary<ServiceDefinition> =>
  fc
    .record({
      type: fc.constantFrom('appointment', 'reservation'),
      wanted,
      step: fc.constantFrom(10, 15, 20, 25, 30, 45, 60, 90),
      length: fc.constantFrom(15, 15, 30, 30, 45, 60, 60, 95, 240, 1500),
      own: seldom(
        fc.array(
          fc.record({
            resources: fc.subarray(RESOURCES, { minLength: 1 }),
            minutes: fc.constantFrom(15, 30, 45, 60, 95),
          }),
          { minLength: 1, maxLength: 2 },
        ),
      ),
      longer: seldom(fc.record({ step: fc.constantFrom(15, 30), count: fc.integer({ min: 1, max: 3 }) })),
      before: fc.option(fc.integer({ min: 0, max: 40 }), { nil: undefined, freq: 2 }),
      after: fc.option(fc.integer({ min: 0, max: 40 }), { nil: undefined, freq: 2 }),
      locations: places.length > 0 ? seldom(fc.subarray(places, { minLength: 1 })) : fc.constant(undefined),
    })
    .map(({ type, wanted, step, length, own, longer, before, after, locations }) => {
      const { policies } = service('svc')
      const slot_interval = lasting(step)
      return service('svc', {
        type,
        capacity: { max: 4 },
        ...given('locations', locations),
        ...(!longer && { duration_rules: rulesFor(own ?? [], wanted) }),
        ...(wanted.length > 0 && { resources: wanted.map((one) => ({ ...one, type: 'staff' as const })) }),
        duration: {
          ...(longer
            ? {
                range: {
                  min: lasting(length),
                  max: lasting(length + longer.step * longer.count),
                  step: lasting(longer.step),
                },
              }
            : { fixed: lasting(length) }),
          ...given('buffer_before', before === undefined ? undefined : lasting(before)),
          ...given('buffer_after', after === undefined ? undefined : lasting(after)),
        },
        policies: { ...policies, booking_window: { ...policies.booking_window, slot_interval } },
      })
    })

/** The same of all places, or of some. */
const opening = (day: string, places: string[]): fc.Arbitrary<SpecialOpening> =>
  fc
    .tuple(special(day), places.length > 0 ? seldom(fc.subarray(places, { minLength: 1 })) : fc.constant(undefined))
    .map(([special, locations]) => ({ ...special, ...given('locations', locations) }))

/** A business around a day, a part of that day and the next, and what is taken then. */
export function caseOf(zone: string, day: string): fc.Arbitrary<Asked> {
  const midnight = startOf(zone, day)
  const taken = fc
    .array(
      fc.tuple(
        fc.integer({ min: -24, max: 160 }),
        fc.integer({ min: 1, max: 20 }),
        fc.constantFrom(0, 0, 0, 1, 59_999),
      ),
      {
        maxLength: 5,
      },
    )
    .map((spans) => {
      const found: [number, number][] = []
      for (const [from, length, odd] of spans.toSorted(([one], [other]) => one - other)) {
        const start = Math.max(midnight + from * 15 * MINUTE + odd, found.at(-1)?.[1] ?? 0)
        found.push([start, start + length * 10 * MINUTE])
      }
      return found
    })
  return fc.integer({ min: 0, max: 2 }).chain((count) => {
    const places = PLACES.slice(0, count)
    return fc
      .record({
        hours,
        closure: seldom(timeOff(day)),
        openings: seldom(fc.array(opening(day, places), { minLength: 1, maxLength: 3 })),
        closed: count > 0 ? seldom(fc.subarray(places, { minLength: 1 })) : fc.constant(undefined),
        placeHours: fc.tuple(...places.map(() => hours)),
        resources: fc.tuple(...RESOURCES.map((id) => resource(day, id, places))),
        service: serviceOf(places),
        spans: fc.tuple(...[...RESOURCES, 'service:svc'].map(() => taken)),
        from: fc.oneof(fc.constant(0), quarters(80), fc.integer({ min: 0, max: 1200 })),
        length: fc.oneof(fc.constantFrom(1440, 2880), quarters(96), fc.integer({ min: 1, max: 1440 })),
        party: fc.constantFrom(1, 1, 2, 4),
      })
      .map(({ hours, closure, openings, closed, placeHours, resources, service, spans, from, length, party }) => {
        const definition: BusinessDefinition = {
          ...businessWith([service], { resources }),
          ...given('hours', hours),
          ...given('special_hours', openings),
          ...(closure && {
            closures: [{ from: closure.from.slice(0, 10), to: closure.to.slice(0, 10), ...given('locations', closed) }],
          }),
          ...(count > 0 && {
            locations: places.map((id, at) => ({ id, name: id, ...given('hours', placeHours[at]) })),
          }),
        }
        const { business, ...rest } = definition
        return {
          definition: { ...rest, business: { ...business, timezone: zone } },
          service,
          range: [midnight + from * MINUTE, midnight + (from + length) * MINUTE] as const,
          taken: new Map([...RESOURCES, 'service:svc'].map((id, at) => [id, spans[at] ?? []])),
          party,
        }
      })
  })
}
