import { DAY, HOUR, MINUTE } from '../../infra/time/time-units.ts'
import { startOfDay } from '../../infra/time/time-zone.ts'
import { type InventedPerson, inventedPeople } from './invented-people.ts'
import { type Random, randomFrom } from './random-numbers.ts'
import type { SimulatedDay } from './simulated-days.ts'
import { bookedShare, CLASS, type VisitRate, visitRates, WEEKDAY_SHARES } from './visits-per-service.ts'

/** A planned visit of an invented buyer. The simulation books the free time that is nearest to the wished time. */
export interface Visit {
  key: string
  service: string
  date: string
  /** The wished start time, in milliseconds since 1970. */
  wish: number
  person: InventedPerson
  party: number
  way: 'page' | 'assistant' | 'desk'
  bookedAt: number
  /** What happens to the booking. Most bookings are kept. */
  fate: 'kept' | 'canceled' | 'moved' | 'no_show'
  /** Set if the booking stays as the buyer made it: unpaid, or without the approval of the staff. */
  isLeftOpen?: true
}

export interface SimulationFrame {
  seed: string
  zone: string
  days: readonly SimulatedDay[]
  /**
   * The time when the first start of the server began the simulation. All simulated times are relative to this time.
   */
  begunAt: number
  /** The days of the classes that `findNextClasses` fills. No other visits to classes are planned on these days. */
  arrangedClasses: readonly string[]
}

/** Plans all visits except those to the next classes. The same seed and the same time always give the same plan. */
export function planVisits(frame: SimulationFrame): Visit[] {
  const visits = frame.days.filter(({ isOpen }) => isOpen).flatMap((day) => visitsOfDay(day, frame))
  const missedDay = frame.days.find(({ isMissed }) => isMissed)
  const missed = visits.find(
    ({ date, service, fate }) => date === missedDay?.date && service === MISSED && fate === 'kept',
  )
  return visits.map((visit) => (visit === missed ? { ...visit, fate: 'no_show' } : visit))
}

const MISSED = 'svc_haircut'
/** The tags of customers that name a preferred service. */
const FAVORITES = new Set(visitRates.map(({ service }) => service.replace('svc_', '')))

function visitsOfDay(day: SimulatedDay, frame: SimulationFrame): Visit[] {
  const random = randomFrom(`${frame.seed} ${day.offset}`)
  const present = new Set<InventedPerson>()
  return visitRates
    .filter(
      ({ service, weekdays }) =>
        weekdays.includes(day.weekday) && !(service === CLASS && frame.arrangedClasses.includes(day.date)),
    )
    .flatMap((rate) => {
      const usual = rate.usual * (WEEKDAY_SHARES[day.weekday] ?? 1) * bookedShare(day.offset)
      const expected = day.isBusy ? rate.busy : usual
      const count = Math.floor(expected + random.between(0, 1))
      return Array.from({ length: count }, (_, nth) => {
        const person = personFor(rate, random, present)
        present.add(person)
        return visitOf({ day, rate, person, key: `${day.offset} ${rate.service} ${nth}` }, random, frame)
      })
    })
}

const REGULAR_WEIGHT = 4
const FAVORITE_WEIGHT = 12

/**
 * Chooses a person for a visit. Regular customers come more often. A tag such as `massage` names the service that a
 * customer prefers.
 */
function personFor({ service }: VisitRate, random: Random, present: ReadonlySet<InventedPerson>): InventedPerson {
  const free = inventedPeople.filter((person) => !present.has(person))
  return random.pick(free, ({ isRegular, tags = [] }) => {
    if (tags.some((tag) => `svc_${tag}` === service)) return FAVORITE_WEIGHT
    return isRegular && !tags.some((tag) => FAVORITES.has(tag)) ? REGULAR_WEIGHT : 1
  })
}

interface Wish {
  day: SimulatedDay
  rate: VisitRate
  person: InventedPerson
  key: string
}

function visitOf({ day, rate, person, key }: Wish, random: Random, { zone, begunAt }: SimulationFrame): Visit {
  const [from, to] = random.chance(0.74) ? rate.mostly : rate.otherwise
  const midnight = startOfDay(zone, day.date)
  const wish = midnight + random.between(from, to) * HOUR
  const isLate = random.chance(0.22)
  const way = isLate ? 'desk' : random.pick(['page', 'page', 'page', 'desk', 'assistant'] as const)
  const days = isLate ? 0 : rate.leastLeadDays + 0.8 + random.between(0, 1) ** 2 * 11
  const hour = isLate ? (wish - midnight) / HOUR - random.between(0.4, 2) : random.between(8.5, 21)
  const usual = startOfDay(zone, dayBefore(day.date, Math.ceil(days))) + hour * HOUR
  // The booking of a visit on a future day was made some hours or days ago.
  const latest = begunAt - (day.offset > 0 ? random.between(0.05, 5) : random.between(0.01, 0.15)) * DAY
  return {
    key: `visit ${key}`,
    service: rate.service,
    date: day.date,
    wish,
    person,
    party: rate.party > 1 ? Math.floor(random.between(2, rate.party + 1)) : 1,
    way,
    bookedAt: Math.floor(Math.min(usual, latest) / MINUTE) * MINUTE,
    fate: fateOf(random.between(0, 1), rate),
  }
}

const dayBefore = (date: string, days: number) => new Date(Date.parse(date) - days * DAY).toISOString().slice(0, 10)

function fateOf(luck: number, { service }: VisitRate): Visit['fate'] {
  if (luck < 0.07) return 'canceled'
  return luck < 0.11 && service !== CLASS ? 'moved' : 'kept'
}
