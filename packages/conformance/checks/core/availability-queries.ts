import type { Members } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectList, expectTrue } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { dateIn, type Slot } from '../../target/free-slots.ts'
import { check } from '../check.ts'
import { expectInvalid, expectMissing } from './input-faults.ts'
import { overBoth } from './over-both.ts'
import { firstDay, quietTimes } from './quiet-times.ts'
import { dateInZone, expectOffsets, timezoneOf } from './zones.ts'

const needs = ['services.availability']

const week = ({ services }: CheckContext) => ({
  service_id: services[0]?.id,
  start_date: dateIn(2),
  end_date: dateIn(8),
})

const slotsOf = async ({ anonymous }: CheckContext, query: Members) =>
  expectList((await anonymous.call('queryAvailability', query)).success().slots, 'slots') as Slot[]

const startsOf = (slots: Slot[]) => slots.map(({ start }) => Date.parse(start))

export const availabilityQueryChecks = [
  check(
    'AVL-001 AVL-002 AVL-014 LIM-003',
    'An anonymous caller can query the free times of a service in seven days',
    async (c) => {
      const query = week(c)
      const answer = await c.anonymous.call('queryAvailability', query)
      const result = answer.success()
      expectEqual(result.service_id, query.service_id, 'service_id')
      expectList(result.slots, 'slots')
      expectTrue(result.usp !== undefined, 'the member usp', Object.keys(result))
    },
    { needs },
  ),
  check(
    'AVL-003',
    'Both bindings return the same slots in the same order',
    async (c) => {
      const { query } = await quietTimes(c, 'service')
      const [rest, mcp] = await overBoth(c, c.anonymous, 'queryAvailability', query)
      expectEqual(mcp.success().slots, rest.success().slots, 'the slots over MCP')
    },
    { needs, only: 'rest' },
  ),
  check(
    'AVL-004',
    'The server refuses a query without service, start or end',
    async (c) => {
      for (const member of ['service_id', 'start_date', 'end_date']) {
        const { [member]: _, ...others } = week(c) as Members
        const answer = await c.anonymous.call('queryAvailability', others)
        expectMissing(answer, member)
        expectEqual(answer.result?.slots, undefined, 'the slots of the refusal')
      }
    },
    { needs },
  ),
  check(
    'AVL-005 LIV-011',
    'The server refuses an impossible date, and a member of a wrong type',
    async (c) => {
      const wrong = [
        { start_date: 'tomorrow' },
        { end_date: '2026-13-45' },
        { start_date: 20_260_315 },
        { service_id: 7 },
        { resource_id: ['a'] },
      ]
      for (const input of wrong)
        expectInvalid(await c.anonymous.call('queryAvailability', { ...week(c), ...input }), Object.keys(input)[0])
    },
    { needs },
  ),
  check(
    'AVL-006',
    'The server refuses a timezone that does not exist',
    async (c) => {
      expectInvalid(await c.anonymous.call('queryAvailability', { ...week(c), timezone: 'Mars/Base' }), 'timezone')
    },
    { needs },
  ),
  check(
    'AVL-007',
    'The server refuses an end before the start',
    async (c) => {
      expectInvalid(await c.anonymous.call('queryAvailability', { ...week(c), end_date: dateIn(1) }))
    },
    { needs },
  ),
  check(
    'AVL-038 LIV-051',
    'The server refuses a party size below one, or one that is a text',
    async (c) => {
      for (const party_size of [0, -1, '2'])
        expectInvalid(await c.anonymous.call('queryAvailability', { ...week(c), party_size }), 'party_size')
    },
    { needs },
  ),
  check(
    'LIV-010 LIV-011',
    'The server refuses a query for an unknown service as an invalid input',
    async (c) => {
      expectInvalid(await c.anonymous.call('queryAvailability', { ...week(c), service_id: 'conformance_none' }))
    },
    { needs },
  ),
  check(
    'LIV-014',
    'The server answers a query for a range of a year, or refuses it with range_too_wide',
    async (c) => {
      const answer = await c.anonymous.call('queryAvailability', { ...week(c), end_date: dateIn(367) })
      if (answer.error) answer.failsWith('range_too_wide')
      else expectList(answer.success().slots, 'slots')
    },
    { needs },
  ),
  check(
    'AVL-009 AVL-010 AVL-011',
    'A range of dates covers whole days; a range of times includes its start and excludes its end',
    async (c) => {
      const times = await quietTimes(c, 'service', undefined, { limit: 200 })
      const { query, slots } = times
      const day = firstDay(c, times)
      const ofDay = slots.filter(({ start }) => dateInZone(Date.parse(start), timezoneOf(c.target)) === day)
      const sameDay = await slotsOf(c, { ...query, start_date: day, end_date: day })
      expectEqual(startsOf(sameDay), startsOf(ofDay), `the starts on ${day}`)
      const [from, until] = [ofDay[0]?.start, ofDay.at(-1)?.start]
      if (from === undefined || until === undefined || from === until) throw new Skip('The day has only one start.')
      const before = ofDay.filter(({ start }) => Date.parse(start) < Date.parse(until))
      const found = await slotsOf(c, { ...query, start_date: from, end_date: until })
      expectEqual(startsOf(found), startsOf(before), `the starts from ${from} until before ${until}`)
    },
    { needs },
  ),
  check(
    'AVL-012 AVL-013 LIV-054',
    'Slots have the UTC offset of the business, or of the timezone in the query, and name the same instants',
    async (c) => {
      const business = timezoneOf(c.target)
      const other = business === 'Europe/Paris' ? 'Asia/Tokyo' : 'Europe/Paris'
      const { query, slots } = await quietTimes(c, 'service', undefined, { limit: 20 })
      const range = { start_date: slots[0]?.start, end_date: slots.at(-1)?.end }
      const own = await slotsOf(c, { ...query, ...range })
      const abroad = await slotsOf(c, { ...query, ...range, timezone: other })
      expectEqual(startsOf(abroad), startsOf(own), `the starts in ${other}`)
      expectOffsets(own, business)
      expectOffsets(abroad, other)
    },
    { needs },
  ),
  check(
    'AVL-047',
    'A query for a range without free time returns an empty list',
    async (c) => {
      const query = { ...week(c), start_date: '2020-03-02', end_date: '2020-03-04' }
      const answer = await c.anonymous.call('queryAvailability', query)
      expectEqual(answer.success().slots, [], 'the slots in the past')
    },
    { needs },
  ),
  check(
    'AVL-040',
    'The server answers a query in an unsupported language',
    async (c) => {
      const { query, slots } = await quietTimes(c, 'service', undefined, { limit: 5 })
      expectEqual(startsOf(await slotsOf(c, { ...query, locale: 'tlh' })), startsOf(slots), 'the starts')
    },
    { needs },
  ),
  check(
    'AVL-072',
    'An availability query reserves nothing',
    async (c) => {
      const { query, slots } = await quietTimes(c, 'service')
      for (let times = 0; times < 2; times++)
        expectEqual(await slotsOf(c, query), slots, 'the slots of the repeated query')
    },
    { needs },
  ),
]
