import type { Members } from '../../caller/answer.ts'
import { expectEqual, expectMembers, expectTrue } from '../../run/expectations.ts'
import { check } from '../check.ts'
import { expectMissingOrInvalid } from '../core/input-faults.ts'
import { hintOf } from './hints-of-services.ts'
import { idsOf, indexedBusiness, needs, searchServices, serviceOf } from './listed-business.ts'

const SIGNALS = ['coverage', 'density', 'hint_usable', 'relevance', 'soonness']
const HOUR_MS = 3_600_000
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString()

export const serviceRankingChecks = [
  check(
    'LIV-087',
    'The registry accepts three forms of a desired time, and refuses all others',
    async (c) => {
      const [at, start, end] = [inHours(24), inHours(24), inHours(48)]
      const search = (wish: Members) =>
        c.anonymous.call('searchServices', { query: 'conformance', desired_service_time_ranges: [wish] })
      for (const wish of [{ at }, { start, end }, { start }]) (await search(wish)).success()
      for (const wish of [{ at, start }, { at, note: 'early' }, { at: 'tomorrow' }])
        (await search(wish)).failsWith('validation_error')
      for (const wish of [{}, { end }]) expectMissingOrInvalid(await search(wish), JSON.stringify(wish))
    },
    { needs },
  ),
  check(
    'REG-070',
    'Services that are free sooner come first, except if the caller turns this off',
    async (c) => {
      const { word } = await indexedBusiness(c, (category) => [
        serviceOf('a-late', category, { availability_hint: hintOf([400]) }),
        serviceOf('b-soon', category, { availability_hint: hintOf([40]) }),
        serviceOf('c-soon', category, { availability_hint: hintOf([40]) }),
        serviceOf('d-late', category, { availability_hint: hintOf([400]) }),
      ])
      const order = async (input: Members) =>
        (await searchServices(c, { categories: [word], ...input })).map(({ service_id }) => String(service_id))
      const sooner = await order({})
      expectEqual(sooner.slice(0, 2).toSorted(), ['b-soon', 'c-soon'], 'the first two services')
      const plain = await order({ prefer_sooner_availability_slots: false })
      const isBefore = (one: string, other: string) => plain.indexOf(one) < plain.indexOf(other)
      const isIgnored = isBefore('a-late', 'b-soon') === isBefore('c-soon', 'd-late')
      expectTrue(isIgnored, 'an order that does not depend on the availability', plain)
    },
    { needs, once: true },
  ),
  check(
    'REG-068 REG-069 LIV-088 LIV-089 LIV-090 LIV-091',
    'Availability hints change the order of the hits, but never remove a hit',
    async (c) => {
      const usable = hintOf([40, 41])
      const { valid_until, slot_bitmaps, next_available_date, ...summaryOnly } = usable
      const [bitmap] = slot_bitmaps as Members[]
      const hints: Record<string, Members | undefined> = {
        usable,
        none: undefined,
        summary: summaryOnly,
        expired: { ...usable, generated_at: inHours(-48), valid_until: inHours(-24) },
        malformed: { ...usable, slot_bitmaps: [{ ...bitmap, bitmap: 'AAAA' }] },
      }
      const { word } = await indexedBusiness(c, (category) =>
        Object.entries(hints).map(([id, hint]) => serviceOf(id, category, hint ? { availability_hint: hint } : {})),
      )
      const suited = { desired_service_time_ranges: [{ start: inHours(30), end: inHours(60) }] }
      for (const wishes of [
        { prefer_sooner_availability_slots: true },
        suited,
        { desired_service_time_ranges: [{ start: inHours(2), end: inHours(3) }] },
      ]) {
        const hits = await searchServices(c, { categories: [word], ...wishes })
        expectEqual(idsOf(hits), Object.keys(hints).toSorted(), 'the services found')
        for (const { service_id, rank_signals } of hits) {
          const signals = expectMembers(rank_signals, `rank_signals of ${service_id}`)
          expectEqual(Object.keys(signals).toSorted(), SIGNALS, `the names in rank_signals of ${service_id}`)
          const { hint_usable, coverage, density, soonness } = signals
          expectEqual(hint_usable, service_id === 'usable', `hint_usable of ${service_id}`)
          if (!hint_usable)
            expectEqual(
              [coverage, density, soonness],
              [null, null, null],
              `coverage, density and soonness of ${service_id}`,
            )
        }
      }
      for (const input of [{}, suited]) {
        const [first] = await searchServices(c, { categories: [word], ...input })
        expectEqual(first?.service_id, 'usable', 'the first service')
        expectEqual(first?.availability_hint, usable, 'the hint of the first service')
      }
    },
    { needs, once: true },
  ),
]
