import type { Members } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectList, expectTrue } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { bookingWindow, DAY_MS, days, millisecondsOf, type Slot } from '../../target/free-slots.ts'
import { check } from '../check.ts'
import { quietTimes } from './quiet-times.ts'
import { changesOfClocks, expectOffsets, offsetInZone, timezoneOf } from './zones.ts'

const options = { needs: ['services.availability'], once: true }
/** A service without a published maximum is searched so far ahead. */
const USUAL_DAYS = 28
/** The check searches for times only up to this number of days ahead. */
const MAX_DAYS = 90
/** A catalogue can have many services, and many timezones change their clocks. */
const MAX_QUERIES = 40

const slotsOf = async ({ anonymous }: CheckContext, query: Members): Promise<Slot[]> =>
  expectList((await anonymous.call('queryAvailability', query)).success().slots, 'slots') as Slot[]

const inUtc = (time: string | number): string => new Date(time).toISOString()
const instantsOf = (slots: Slot[]) => slots.map(({ id, start, end }) => [id, Date.parse(start), Date.parse(end)])

/** Finds a slot during which a timezone changes its clocks. Skips the check if there is none. */
async function slotWithChange(c: CheckContext): Promise<{ slot: Slot; query: Members; timezone: string }> {
  const changes = changesOfClocks([timezoneOf(c.target), ...Intl.supportedValuesOf('timeZone')], MAX_DAYS)
  const candidates = c.services.flatMap((service) => {
    const { max_advance } = bookingWindow(service)
    const last = Date.now() + (days(max_advance) ?? USUAL_DAYS) * DAY_MS
    return changes.filter(({ instant }) => instant < last).map((change) => ({ service, ...change }))
  })
  for (const { service, timezone, instant } of candidates.slice(0, MAX_QUERIES)) {
    const range = { start_date: inUtc(instant - DAY_MS / 2), end_date: inUtc(instant + DAY_MS / 2) }
    const query = { service_id: service.id, ...range, limit: 200 }
    const slot = (await slotsOf(c, query)).find(({ start, end }) => {
      return Date.parse(start) < instant && instant < Date.parse(end)
    })
    if (slot) return { slot, query, timezone }
  }
  throw new Skip('No timezone changes its clocks during a free slot.')
}

/** The checks of the vector flow/103: times on the wire are instants, not readings of a clock. */
export const clockChangeChecks = [
  check(
    'LIV-054 AVL-011',
    'A query in UTC finds the same slots as a query with the offset of the business (flow/103)',
    async (c) => {
      const { query, slots } = await quietTimes(c, 'service', undefined, { limit: 20 })
      const [from, until] = [slots[0]?.start ?? '', slots.at(-1)?.end ?? '']
      const local = await slotsOf(c, { ...query, start_date: from, end_date: until })
      expectTrue(local.length > 0, 'slots in the range', local)
      const found = await slotsOf(c, { ...query, start_date: inUtc(from), end_date: inUtc(until) })
      expectEqual(instantsOf(found), instantsOf(local), 'the slots of the query in UTC')
    },
    options,
  ),
  check(
    'LIV-054 AVL-013 AVL-018',
    'A slot during a change of clocks has two offsets, and lasts as long as its instants are apart (flow/103)',
    async (c) => {
      const { slot, query, timezone } = await slotWithChange(c)
      const shown = (await slotsOf(c, { ...query, timezone })).find(({ id }) => id === slot.id)
      expectTrue(shown !== undefined, `the slot ${slot.id} in ${timezone}`, 'no such slot')
      expectEqual(instantsOf([shown]), instantsOf([slot]), `the instants in ${timezone}`)
      expectOffsets([shown], timezone)
      const [start, end] = [Date.parse(shown.start), Date.parse(shown.end)]
      expectTrue(offsetInZone(start, timezone) !== offsetInZone(end, timezone), 'two offsets', shown)
      expectEqual(millisecondsOf(shown.duration), end - start, 'the milliseconds of the duration')
    },
    options,
  ),
]
