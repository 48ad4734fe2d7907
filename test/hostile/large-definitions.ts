import { DAY, WEEKDAYS } from '../../src/infra/time/time-units.ts'
import type { BusinessDefinition, ResourceDefinition, ServiceDefinition } from '../../src/protocol/types.generated.ts'
import { businessWith, service } from '../support/definitions.ts'
import { START } from '../support/server.ts'

const date = (days: number) => new Date(START.getTime() + days * DAY).toISOString().slice(0, 10)

const many = (count: number, type: ResourceDefinition['type'], more: (nth: number) => Partial<ResourceDefinition>) =>
  Array.from({ length: count }, (_, nth) => ({ id: `${type}_${nth}`, type, name: `${type} ${nth}`, ...more(nth) }))

interface Salon {
  people: number
  interval: string
  /** Whether the buyer chooses whom; else anybody will do. */
  selectable?: boolean
  more?: (nth: number) => Partial<ResourceDefinition>
}

/** A service of many people, the whole day. */
export function salon({ people, interval, selectable = true, more = () => ({}) }: Salon): BusinessDefinition {
  const resources = many(people, 'staff', more)
  const cut = service('svc_one', {
    duration: { fixed: 'PT30M' },
    resources: [{ type: 'staff', name: 'Stylist', selectable, options: resources.map(({ id }) => id) }],
  })
  cut.policies.booking_window = { ...cut.policies.booking_window, slot_interval: interval }
  return businessWith([cut], { resources })
}

/** A day of every week, each of them written down. */
const dayOfEachWeek = (nth: number, weeks: number) =>
  Array.from({ length: weeks }, (_, week) => ({ from: date(7 * week + (nth % 7)), to: date(7 * week + (nth % 7)) }))

/** Bikes by the day, each with days in the workshop. */
export function rental(): BusinessDefinition {
  const resources = many(50, 'equipment', (nth) => ({ time_off: dayOfEachWeek(nth, 100) }))
  const bike: ServiceDefinition = service('svc_one', {
    type: 'rental',
    duration: { range: { min: 'P1D', max: 'P14D', step: 'P1D' } },
    resources: [{ type: 'equipment', name: 'Bike', selectable: true, options: resources.map(({ id }) => id) }],
  })
  bike.policies.booking_window = { ...bike.policies.booking_window, slot_interval: 'PT1H', max_advance: 'P90D' }
  return businessWith([bike], { resources })
}

export const tenYearsOfDaysOff = () =>
  salon({ people: 100, interval: 'PT30M', more: (nth) => ({ time_off: dayOfEachWeek(nth, 520) }) })

/** Ten places with 1,500 closures. */
export const closures = (): BusinessDefinition => ({
  ...salon({ people: 20, interval: 'PT30M' }),
  locations: Array.from({ length: 10 }, (_, nth) => ({ id: `loc_${nth}`, name: `Place ${nth}` })),
  closures: [0, 1, 2].flatMap((nth) => dayOfEachWeek(nth, 500)),
})

/** Ten places, and people, with a thousand days each that are unlike others. */
export function specialDays(): BusinessDefinition {
  const days = Array.from({ length: 1000 }, (_, nth) => ({ from: date(nth), opens: '00:00', closes: '24:00' }))
  return {
    ...salon({ people: 20, interval: 'PT30M', more: () => ({ special_hours: days }) }),
    locations: Array.from({ length: 10 }, (_, nth) => ({ id: `loc_${nth}`, name: `Place ${nth}` })),
    special_hours: days.map((day, nth) => ({ ...day, locations: [`loc_${nth % 10}`] })),
  }
}

/** The first of them is away for half a year, and the place named shut, if any, closed as long. */
export const onLeave = (people: number, interval: string, places: string[] = []): BusinessDefinition => ({
  ...salon({ people, interval, more: (nth) => (nth === 0 ? { time_off: [{ from: date(0), to: date(200) }] } : {}) }),
  ...(places.length > 0 && {
    locations: places.map((id) => ({ id, name: id })),
    closures: [{ from: date(0), to: date(200), locations: places.slice(1) }],
  }),
})

/** Any of 500 people will do, every five minutes. */
export const anybody = () => salon({ people: 500, interval: 'PT5M', selectable: false })

/** A room for up to a week, in quarters of an hour: 32,000 times a day. */
export function hall(): BusinessDefinition {
  const resources = many(20, 'room', () => ({}))
  const one: ServiceDefinition = service('svc_one', {
    duration: { range: { min: 'PT15M', max: 'P7D', step: 'PT15M' } },
    resources: [{ type: 'room', name: 'Room', options: resources.map(({ id }) => id) }],
  })
  return businessWith([one], { resources })
}

/** Of 100 people anybody will do, and each comes and goes fifty times a day, at times of their own. */
export function comingAndGoing(): BusinessDefinition {
  const clock = (minute: number) =>
    `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
  const hours = (nth: number) =>
    Array.from({ length: 50 }, (_, at) => ({
      days: [...WEEKDAYS],
      opens: clock(28 * at + (nth % 25)),
      closes: clock(28 * at + (nth % 25) + 2),
    }))
  const { services, ...rest } = salon({
    people: 100,
    interval: 'PT1M',
    selectable: false,
    more: (nth) => ({ hours: hours(nth) }),
  })
  return { ...rest, services: services.map((one) => ({ ...one, duration: { fixed: 'PT1M' } })) }
}

/** A day of bikes that are rented for up to a year, of which each has hours of its own. */
export function yearLong(): BusinessDefinition {
  const hours = (nth: number) => [{ days: [...WEEKDAYS], opens: `0${nth % 7}:${10 + (nth % 50)}`, closes: '24:00' }]
  const { resources = [], ...rest } = businessWith([], {
    resources: many(300, 'equipment', (nth) => ({ hours: hours(nth) })),
  })
  const bike: ServiceDefinition = service('svc_one', {
    type: 'rental',
    duration: { fixed: 'P365D' },
    resources: [{ type: 'equipment', name: 'Bike', selectable: true, options: resources.map(({ id }) => id) }],
  })
  bike.policies.booking_window = { ...bike.policies.booking_window, slot_interval: 'PT1H', max_advance: 'P90D' }
  return { ...rest, resources, services: [bike] }
}

/** As many times a day as a definition may have. */
export const mostTimes = () => salon({ people: 500, interval: 'PT18M' })

/** Prices by 500 rules, of which each names the same half of a hundred people. */
export function priceRules(): BusinessDefinition {
  const { resources = [], ...definition } = salon({ people: 100, interval: 'PT15M' })
  const named = resources.slice(50).map(({ id }) => id)
  const price_rules = Array.from({ length: 500 }, (_, nth) => ({ percent: 50 + nth, resources: named }))
  return { ...definition, resources, services: definition.services.map((one) => ({ ...one, price_rules })) }
}
