import type { Members } from '../../caller/answer.ts'
import { dateInZone, offsetInZone } from '../../checks/core/zones.ts'
import { listOf, withItems } from '../answers.ts'
import type { Fault, SeenCall } from '../fault.ts'

const query: Pick<Fault, 'only' | 'operations'> = { only: ['AVL'], operations: ['queryAvailability'] }
/** The timezone of the business on the tested server. */
const BUSINESS_ZONE = 'America/New_York'
const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

const zoneOf = ({ input }: SeenCall) => (typeof input.timezone === 'string' ? input.timezone : BUSINESS_ZONE)
const instant = (time: unknown) => Date.parse(String(time))

const withSlots = (result: Members, change: (slots: Members[]) => Members[]) => withItems(result, 'slots', change)

const withTimes = (result: Members, change: (time: string) => string) =>
  withSlots(result, (slots) =>
    slots.map((slot) => ({ ...slot, start: change(String(slot.start)), end: change(String(slot.end)) })),
  )

export const availabilityFaults: Fault[] = [
  {
    name: 'The dates of a query mean days of the business, even if the query names another timezone',
    seenAt: 'https://github.com/calcom/cal.diy/issues/17844',
    ...query,
    result: (result, { input }) =>
      withSlots(result, (slots) =>
        slots.filter(({ start }) => {
          const day = dateInZone(instant(start), BUSINESS_ZONE)
          const [from, until] = [String(input.start_date), String(input.end_date)]
          return from.includes('T') || (day >= from && day <= until)
        }),
      ),
  },
  {
    name: 'A UTC offset with half an hour is shortened to the whole hour',
    seenAt: 'https://github.com/calcom/cal.diy/issues/2102',
    ...query,
    result: (result) => withTimes(result, (time) => time.replace(/([+-]\d\d):30$/, '$1:00')),
  },
  {
    name: 'Slots after the next clock change keep the current UTC offset',
    seenAt: 'https://github.com/calcom/cal.diy/issues/10517',
    ...query,
    result: (result, call) =>
      withTimes(result, (time) => withOffset(instant(time), offsetInZone(Date.now(), zoneOf(call)))),
  },
  {
    name: 'Availability is always in UTC, even if the query names a timezone',
    seenAt: 'https://github.com/alextselegidis/easyappointments/issues/1061',
    ...query,
    result: (result) => withTimes(result, (time) => new Date(time).toISOString()),
  },
  {
    name: 'Slots that cross midnight in the timezone of the query are missing',
    seenAt: 'https://github.com/alextselegidis/easyappointments/issues/1432',
    ...query,
    result: (result, call) =>
      withSlots(result, (slots) =>
        slots.filter(
          ({ start, end }) => dateInZone(instant(start), zoneOf(call)) === dateInZone(instant(end) - 1, zoneOf(call)),
        ),
      ),
  },
  {
    name: 'The last day of a month has no slots',
    seenAt: 'https://github.com/calcom/cal.diy/issues/12082',
    ...query,
    result: (result) =>
      withSlots(result, (slots) =>
        slots.filter(({ start }) => {
          const next = new Date(Date.parse(`${String(start).slice(0, 10)}T00:00:00Z`) + 24 * 3_600_000)
          return next.getUTCDate() !== 1
        }),
      ),
  },
  {
    name: 'Slots have the local time of the business, but the UTC offset of the timezone in the query',
    seenAt: 'https://github.com/nextcloud/calendar/issues/6529',
    ...query,
    result: (result, call) =>
      withTimes(result, (time) => {
        const [own, other] = [BUSINESS_ZONE, zoneOf(call)].map((zone) => offsetInZone(instant(time), zone))
        return withOffset(instant(time) + ((own ?? 0) - (other ?? 0)) * 60_000, other ?? 0)
      }),
  },
  {
    name: 'The remaining spots of a group slot include the held spots',
    ...query,
    only: ['AVL', 'HLD'],
    result: (result) =>
      withSlots(result, (slots) =>
        slots.map((slot) => {
          const capacity = slot.capacity as Record<string, number> | undefined
          const remaining = (capacity?.remaining ?? 0) + (capacity?.held ?? 0)
          return capacity ? { ...slot, capacity: { ...capacity, remaining } } : slot
        }),
      ),
  },
  {
    name: 'A nearly full class has the state available, not limited',
    ...query,
    result: (result) =>
      withSlots(result, (slots) =>
        slots.map((slot) => (slot.state === 'limited' ? { ...slot, state: 'available' } : slot)),
      ),
  },
  {
    name: 'The duration of a slot is rounded up to whole hours',
    ...query,
    result: (result) =>
      withSlots(result, (slots) =>
        slots.map((slot) => {
          const length = instant(slot.end) - instant(slot.start)
          return { ...slot, duration: `PT${Math.ceil(length / 3_600_000)}H` }
        }),
      ),
  },
  {
    name: 'The second page of slots begins with the last slot of the first page',
    ...query,
    result: (result, { input }, memory) => {
      const slots = listOf(result.slots)
      const { cursor } = (result.pagination ?? {}) as Members
      if (cursor) memory.set(String(cursor), slots.at(-1))
      const before = input.cursor ? memory.get(String(input.cursor)) : undefined
      return before ? { ...result, slots: [before, ...slots] } : undefined
    },
  },
  {
    name: 'The opening hours are shifted by one day',
    ...query,
    result: (result) =>
      withItems(result, 'opening_hours', (windows) =>
        windows.map((window) => ({
          ...window,
          day_of_week: (window.day_of_week as string[]).map((day) => DAYS[(DAYS.indexOf(day) + 1) % 7]),
        })),
      ),
  },
  {
    name: 'Availability is cached, and a hold or booking does not clear the cache',
    ...query,
    result: (result, { input }, memory) => {
      const { _meta, ...asked } = input
      const key = JSON.stringify(asked)
      if (!memory.has(key)) memory.set(key, result)
      return memory.get(key) as Members
    },
  },
  {
    name: 'The slots of a page are sorted by their id',
    ...query,
    result: (result) =>
      withSlots(result, (slots) => slots.toSorted((a, b) => String(a.id).localeCompare(String(b.id)))),
  },
]

/** Formats an instant as RFC 3339 with this offset in minutes. */
function withOffset(instant: number, offset: number): string {
  const local = new Date(instant + offset * 60_000).toISOString().slice(0, 19)
  const part = (number: number) => String(number).padStart(2, '0')
  const size = Math.abs(offset)
  return `${local}${offset < 0 ? '-' : '+'}${part(Math.floor(size / 60))}:${part(size % 60)}`
}
