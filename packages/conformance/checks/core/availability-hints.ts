import { asMembers, type Members } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import {
  expectEqual,
  expectInstant,
  expectList,
  expectMembers,
  expectText,
  expectTrue,
} from '../../run/expectations.ts'
import { Mismatch } from '../../run/mismatch.ts'
import { DAY_MS, days } from '../../target/free-slots.ts'
import { check } from '../check.ts'
import { allSlots } from './pages.ts'
import { quietTimes } from './quiet-times.ts'
import { decodeRoaring } from './roaring-bitmap.ts'
import { firstOf } from './service-facts.ts'
import { dateInZone, timezoneOf } from './zones.ts'

const STANDARD_BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

interface Hint {
  id: unknown
  hint: Members
}

function hintsOf(services: Members[]): Hint[] {
  return services.flatMap(({ id, availability_hint }) => {
    const hint = asMembers(availability_hint)
    return hint ? [{ id, hint }] : []
  })
}

const hintOf = (service: Members): Members => asMembers(service.availability_hint) ?? {}

/**
 * Reads the current availability hint of a service. Bookings of other checks may have changed it since the suite read
 * the catalogue.
 */
async function currentHint({ anonymous }: CheckContext, id: unknown): Promise<Members> {
  const { service } = (await anonymous.call('getService', { service_id: id })).success()
  return hintOf(expectMembers(service, 'the service'))
}

const rulersOf = (hint: Members): Members[] =>
  hint.slot_bitmaps === undefined ? [] : expectList(hint.slot_bitmaps, 'slot_bitmaps')

/** Returns the times at which a booking can start according to a ruler, which is a bitmap of free starts. */
function startsOf(ruler: Members): number[] {
  const from = expectInstant(ruler.starts_at, 'starts_at')
  const interval = days(ruler.start_interval)
  if (!interval) throw new Mismatch('an ISO 8601 duration in start_interval', JSON.stringify(ruler.start_interval))
  return indexesOf(ruler).map((index) => from + Math.round(index * interval * DAY_MS))
}

function indexesOf({ bitmap }: Members): number[] {
  const text = expectText(bitmap, 'bitmap')
  if (!STANDARD_BASE64.test(text)) throw new Mismatch('standard Base64 in bitmap', text)
  try {
    return decodeRoaring(Buffer.from(text, 'base64'))
  } catch (error) {
    throw new Mismatch('a 32-bit Roaring bitmap in its portable form', error instanceof Error ? error.message : text)
  }
}

const hasRulers = (service: Members) => rulersOf(hintOf(service)).length > 0

const options = { once: true } as const

export const availabilityHintChecks = [
  check(
    'LIV-043 CAT-082',
    'A hint has a summary and its creation time, and does not end before that time',
    async ({ services, schemas }) => {
      firstOf(hintsOf(services), 'service with an availability hint')
      for (const { id, hint } of hintsOf(services)) {
        schemas.expectValid('catalog#AvailabilityHint', hint, `the hint of ${id}`)
        const generated = expectInstant(hint.generated_at, `generated_at of ${id}`)
        if (hint.valid_until !== undefined)
          expectTrue(
            expectInstant(hint.valid_until, `valid_until of ${id}`) > generated,
            `valid_until of ${id} after generated_at`,
            hint,
          )
      }
    },
    options,
  ),
  check(
    'LIV-038 LIV-039',
    'A hint names the day of its first free start, or no day if there is none',
    async ({ services, target }) => {
      firstOf(hintsOf(services), 'service with an availability hint')
      const timezone = timezoneOf(target)
      for (const { id, hint } of hintsOf(services)) {
        const starts = rulersOf(hint).flatMap(startsOf)
        const first = starts.length === 0 ? undefined : starts.reduce((a, b) => Math.min(a, b))
        const expected = first === undefined ? undefined : dateInZone(first, timezone)
        expectEqual(hint.next_available_date, expected, `next_available_date of ${id}`)
      }
    },
    options,
  ),
  check(
    'LIV-040 LIV-041 LIV-042',
    'Each ruler of a hint has a valid form, a separate duration, and no bit beyond its number of slots',
    async ({ services }) => {
      const hints = hintsOf(services).filter(({ hint }) => hint.slot_bitmaps !== undefined)
      firstOf(hints, 'availability hint with slot bitmaps')
      for (const { id, hint } of hints) {
        const rulers = rulersOf(hint)
        expectTrue(rulers.length > 0, `a ruler in slot_bitmaps of ${id}`, hint.slot_bitmaps)
        const lengths = rulers.map(({ duration }) => days(duration))
        expectTrue(!lengths.includes(undefined), `an ISO 8601 duration in each ruler of ${id}`, rulers)
        expectEqual(new Set(lengths).size, rulers.length, `the number of different durations in the rulers of ${id}`)
        for (const ruler of rulers) {
          const count = Number(ruler.slot_count)
          expectTrue(Number.isInteger(ruler.slot_count) && count >= 1 && count <= 2 ** 32, 'a slot_count', ruler)
          expectEqual(ruler.encoding, 'roaring32-portable-base64', 'encoding')
          expectInstant(ruler.starts_at, 'starts_at')
          const last = indexesOf(ruler).at(-1)
          expectTrue(last === undefined || last < count, `bits below ${count} for ${id}`, `the bit ${last}`)
        }
      }
    },
    options,
  ),
  check(
    'LIV-042 CAT-083',
    'The server offers slots on the day of the first free start of a hint',
    async (c) => {
      const { anonymous, services, target } = c
      const hints = hintsOf(services).filter(({ hint }) => rulersOf(hint).some((ruler) => indexesOf(ruler).length > 0))
      firstOf(hints, 'availability hint with a free start')
      const timezone = timezoneOf(target)
      // Other checks may hold the last slots of a day for a while. So a few services may have no slot, but not all.
      const empty: unknown[] = []
      const asked = hints.slice(0, 3)
      for (const { id } of asked) {
        const hint = await currentHint(c, id)
        const day = hint.next_available_date
        const input = { service_id: id, start_date: day, end_date: day, limit: 200 }
        const slots = expectList((await anonymous.call('queryAvailability', input)).success().slots, 'slots')
        if (slots.length === 0) empty.push(id)
        expectTrue(empty.length < asked.length, `a slot of ${id} on its next_available_date ${day}`, 'no slot')
        if (slots.length === 0) continue
        const starts = new Set(rulersOf(hint).flatMap(startsOf))
        const announced = slots.filter(({ start }) => starts.has(Date.parse(String(start))))
        expectTrue(
          announced.length > 0,
          `a slot of ${id} on ${dateInZone(Date.parse(String(slots[0]?.start)), timezone)} that its rulers contain`,
          slots.map(({ start }) => start),
        )
      }
    },
    options,
  ),
  check(
    'LIV-042',
    'The server offers a slot for each free start of a hint',
    async (c) => {
      const { service, query } = await quietTimes(c, 'service with an availability hint', hasRulers)
      const timezone = timezoneOf(c.target)
      const slots = await allSlots(c.anonymous, query)
      const offered = new Set(slots.map(({ start }) => Date.parse(start)))
      const hint = await currentHint(c, service.id)
      const isInRange = (start: number) => {
        const day = dateInZone(start, timezone)
        return day >= String(query.start_date) && day <= String(query.end_date)
      }
      const announced = rulersOf(hint).flatMap(startsOf).filter(isInRange)
      const missing = announced.filter((start) => !offered.has(start)).map((start) => new Date(start).toISOString())
      expectEqual(missing, [], `the free starts of the hint of ${service.id} without a slot`)
    },
    options,
  ),
  check(
    'CAT-084',
    'A hint is less than 6 hours old',
    async (c) => {
      const { id } = firstOf(hintsOf(c.services), 'service with an availability hint')
      const { generated_at } = await currentHint(c, id)
      const age = Date.now() - expectInstant(generated_at, 'generated_at')
      expectTrue(age < 6.1 * 3_600_000, 'a generated_at in the last 6 hours', generated_at)
    },
    options,
  ),
]
