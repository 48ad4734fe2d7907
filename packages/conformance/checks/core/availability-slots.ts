import { asMembers, type Members } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectInstant, expectList, expectTrue } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { bookingWindow, DAY_MS, dateIn, days, type Slot } from '../../target/free-slots.ts'
import { isShared } from '../../target/service-kinds.ts'
import { type CheckOptions, check } from '../check.ts'
import { DAY_NAMES } from './opening-hours.ts'
import { amountOf, durationOf, firstOf, locationIdsOf, locationsOf, pricingOf } from './service-facts.ts'

const MINUTE_MS = 60_000
const options: CheckOptions = { needs: ['services.availability'], once: true }

interface Offer {
  service: Members
  slots: Slot[]
  opening_hours: unknown
}

/** Returns the free times of about a week, for one service of each kind. */
async function offers({ anonymous, services }: CheckContext, fits = (_: Members) => true): Promise<Offer[]> {
  const kinds = new Map(services.filter(fits).map((service) => [kindOf(service), service]))
  const found: Offer[] = []
  for (const service of kinds.values()) {
    const first = Math.ceil(days(bookingWindow(service).min_advance) ?? 0) + 1
    const query = { service_id: service.id, start_date: dateIn(first), end_date: dateIn(first + 6), limit: 100 }
    const { slots, opening_hours } = (await anonymous.call('queryAvailability', query)).success()
    found.push({ service, slots: expectList(slots, 'slots') as Slot[], opening_hours })
  }
  firstOf(
    found.flatMap(({ slots }) => slots),
    'free time in the next week',
  )
  return found
}

const kindOf = (service: Members) => [service.type, pricingOf(service).model, Object.keys(durationOf(service))].join()

/** Returns the milliseconds of an ISO 8601 duration, or NaN if the duration is absent. */
const milliseconds = (duration: unknown) => Math.round((days(duration) ?? Number.NaN) * DAY_MS)

export const availabilitySlotChecks = [
  check(
    'AVL-016 AVL-017 AVL-018 AVL-019 AVL-021 AVL-022 AVL-024 LIV-054 LIV-056',
    'Slots are complete, are sorted by their starts, and have the length of their duration',
    async (c) => {
      for (const { service, slots } of await offers(c)) {
        for (const [index, slot] of slots.entries()) {
          const what = `a slot of ${service.id}`
          c.schemas.expectValid('availability#TimeSlot', slot, what)
          expectEqual(slot.service_id, service.id, `service_id of ${what}`)
          const start = expectInstant(slot.start, 'start')
          expectEqual(
            milliseconds(slot.duration),
            expectInstant(slot.end, 'end') - start,
            `the milliseconds between start and end of ${what}`,
          )
          const previous = slots[index - 1]
          expectTrue(!previous || Date.parse(previous.start) <= start, 'slots in the order of their starts', slot.start)
          expectTrue(['available', 'limited', 'waitlist'].includes(String(slot.state)), 'a known state', slot.state)
          const hasWaitlist = asMembers(slot.capacity)?.waitlist === true
          expectTrue(slot.state !== 'waitlist' || hasWaitlist, 'capacity.waitlist in the state waitlist', slot)
          const resources = slot.resources === undefined ? [] : expectList(slot.resources, 'resources')
          for (const resource of resources)
            for (const member of ['id', 'type', 'name'])
              expectTrue(typeof resource[member] === 'string', `${member} of a resource of ${what}`, resource)
          const types = resources.map(({ type }) => type)
          expectEqual(new Set(types).size, types.length, `the number of different types of resources of ${what}`)
        }
        const ids = slots.map(({ id }) => id)
        expectEqual(new Set(ids).size, ids.length, `the number of different slot ids of ${service.id}`)
      }
    },
    options,
  ),
  check(
    'AVL-025 AVL-026 AVL-028 AVL-029',
    'Slots of groups and reservations show their numbers of spots, and the state limited when few are left',
    async (c) => {
      const found = await offers(c)
      firstOf(
        found.filter(({ service, slots }) => isShared(service) && slots.length > 0),
        'group or reservation',
      )
      for (const { service, slots } of found)
        for (const slot of slots) {
          if (!isShared(service)) {
            expectEqual(slot.capacity, undefined, `the capacity of a slot of ${service.id}`)
            continue
          }
          const { total, remaining, held } = asMembers(slot.capacity) ?? {}
          for (const count of [total, remaining, held])
            expectTrue(
              Number.isInteger(count) && Number(count) >= 0,
              `counts in a slot of ${service.id}`,
              slot.capacity,
            )
          const [all, left] = [Number(total), Number(remaining)]
          const isLimited = left > 0 && (left / all < 0.2 || (all > 3 && left <= 2))
          if (isLimited) expectEqual(slot.state, 'limited', `the state of a slot with ${left} of ${all} spots`)
        }
    },
    options,
  ),
  check(
    'AVL-031',
    'A business without waitlists has no slots with the state waitlist',
    async (c) => {
      if (c.target.capability('services.waitlist')) throw new Skip('The business has waitlists.')
      for (const { slots } of await offers(c))
        expectTrue(
          slots.every(({ state }) => state !== 'waitlist'),
          'no slot with the state waitlist',
          slots,
        )
    },
    options,
  ),
  check(
    'AVL-036 CAT-099',
    'Slots of a service with several locations name their location',
    async (c) => {
      const places = locationsOf(c.target.business)
      const found = await offers(c, (service) => locationIdsOf(service).length > 1)
      for (const { service, slots } of found)
        for (const { location } of slots) {
          const { id, name } = asMembers(location) ?? {}
          expectTrue(locationIdsOf(service).includes(id), `a location of ${service.id}`, location)
          expectTrue(places.length < 2 || typeof name === 'string', 'the name of the location', location)
        }
    },
    options,
  ),
  check(
    'AVL-041 CAT-105',
    'Each slot of a service with varying prices has a price',
    async (c) => {
      const found = await offers(c, (service) => pricingOf(service).model === 'variable')
      for (const { service, slots } of found)
        for (const slot of slots) {
          const { amount, currency } = asMembers(slot.pricing) ?? {}
          expectTrue(Number.isInteger(amountOf(amount)), `an amount in a slot of ${service.id}`, slot)
          expectEqual(currency, pricingOf(service).currency, 'the currency of the slot')
        }
    },
    options,
  ),
  check(
    'AVL-043 AVL-044 AVL-045',
    'The answer to an availability query contains the opening hours of the week',
    async (c) => {
      for (const { opening_hours } of (await offers(c)).slice(0, 2)) {
        const entries = expectList(opening_hours, 'opening_hours')
        for (const { day_of_week, opens, closes } of entries) {
          const names = Array.isArray(day_of_week) ? day_of_week : []
          expectTrue(names.length > 0 && names.every((name) => DAY_NAMES.includes(name)), 'names of days', day_of_week)
          expectTrue(/^([01]\d|2[0-3]):[0-5]\d$/.test(String(opens)), 'opens as HH:MM', opens)
          expectTrue(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/.test(String(closes)), 'closes as HH:MM', closes)
        }
      }
    },
    options,
  ),
  check(
    'AVL-056 AVL-057',
    'No slot starts outside the booking window',
    async ({ anonymous, services }) => {
      const windows = services.filter((service) => days(bookingWindow(service).max_advance) !== undefined)
      for (const service of [firstOf(windows, 'service with a maximum advance'), ...windows.slice(1, 4)]) {
        const { min_advance, max_advance } = bookingWindow(service)
        const ahead = Math.floor(days(max_advance) ?? 0)
        const ranges = [
          [dateIn(0), dateIn(2)],
          [dateIn(ahead - 2), dateIn(ahead + 3)],
        ]
        for (const [start_date, end_date] of ranges) {
          const query = { service_id: service.id, start_date, end_date, limit: 200 }
          const asked = Date.now()
          const slots = expectList((await anonymous.call('queryAvailability', query)).success().slots, 'slots')
          for (const start of slots.map((slot) => expectInstant(slot.start, 'start'))) {
            const first = asked + (milliseconds(min_advance) || 0) - MINUTE_MS
            expectTrue(start >= first, `no slot of ${service.id} within ${min_advance}`, new Date(start).toISOString())
            const last = Date.now() + milliseconds(max_advance) + MINUTE_MS
            expectTrue(start <= last, `no slot of ${service.id} after ${max_advance}`, new Date(start).toISOString())
          }
        }
      }
    },
    options,
  ),
  check(
    'CAT-121',
    'The distances between starts in one opening window are multiples of the slot interval',
    async (c) => {
      const isStepped = (service: Members) =>
        ['appointment', 'reservation', 'rental'].includes(String(service.type)) &&
        bookingWindow(service).slot_interval !== undefined
      for (const { service, slots } of await offers(c, isStepped)) {
        const interval = milliseconds(bookingWindow(service).slot_interval)
        const byPlace = new Map<string, Slot[]>()
        for (const slot of slots) {
          const place = JSON.stringify([slot.resources, slot.location])
          byPlace.set(place, [...(byPlace.get(place) ?? []), slot])
        }
        for (const own of byPlace.values())
          for (const [index, { start, end }] of own.entries()) {
            const next = Date.parse(own[index + 1]?.start ?? '')
            // If a slot starts before the end of the previous slot, both slots are in the same opening window.
            if (next < Date.parse(end))
              expectEqual(
                (next - Date.parse(start)) % interval,
                0,
                `the remainder of the step after ${start} of ${service.id}`,
              )
          }
      }
    },
    options,
  ),
  check(
    'CAT-125 AVL-067',
    'A service with a range of durations offers exactly the steps of this range',
    async (c) => {
      const found = await offers(c, (service) => durationOf(service).range !== undefined)
      for (const { service, slots } of found) {
        const { min, max, step } = asMembers(durationOf(service).range) ?? {}
        const [first, last] = [milliseconds(min), milliseconds(max)]
        const lengths = [...new Set(slots.map(({ duration }) => milliseconds(duration)))].toSorted((a, b) => a - b)
        const expected = []
        for (let length = first; length <= last; length += milliseconds(step)) expected.push(length)
        expectEqual(lengths, expected, `the lengths of ${service.id} in milliseconds`)
        const keys = slots.map(({ start, duration, resources }) => JSON.stringify([start, duration, resources]))
        expectEqual(new Set(keys).size, keys.length, 'the number of different starts and durations')
      }
    },
    options,
  ),
]
