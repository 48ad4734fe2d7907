import type { Members } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectTrue } from '../../run/expectations.ts'
import { check } from '../check.ts'
import { FREE, idsOf, indexedBusiness, needs, searchServices, serviceOf } from './listed-business.ts'

/** A duration in minutes and a price that no other listing has. */
const ODD = { minutes: 437, price: 98_765_431 }

const usd = (pricing: Members): Members => ({ pricing: { currency: 'USD', ...pricing } })
const lasts = (min_minutes?: number, max_minutes?: number, match?: string) => ({ min_minutes, max_minutes, match })
const costs = (min?: number | string, max?: number | string, match?: string, currency = 'USD') => ({
  min,
  max,
  match,
  currency,
})

export const serviceRangeChecks = [
  check(
    'REG-071 REG-072 REG-073 REG-074 REG-075 REG-076 REG-078 REG-079 REG-080',
    'A filter by duration compares intervals according to its match mode',
    async (c) => {
      const { word } = await indexedBusiness(c, (category) => [
        serviceOf('range', category, { duration: { range: { min: 'PT30M', max: 'PT90M' } } }),
        serviceOf('hour', category, { duration: { fixed: 'PT60M' } }),
        serviceOf('long', category, { duration: { fixed: 'PT1H30M' } }),
        serviceOf('open', category, { duration: { undetermined: true } }),
      ])
      await expectFound(c, word, 'duration_range', [
        [lasts(60, 60), ['range', 'hour']],
        [lasts(90, 120), ['range', 'long']],
        [lasts(91, 120), []],
        [lasts(30, 120, 'contained'), ['range', 'hour', 'long']],
        [lasts(60, 60, 'contained'), ['hour']],
        [lasts(60, 60, 'contains'), ['range', 'hour']],
        [lasts(60, 120, 'contains'), []],
        [lasts(30, 90, 'equals'), ['range']],
        [lasts(60, 60, 'equals'), ['hour']],
        [lasts(60), ['range', 'hour', 'long']],
        [lasts(undefined, 59), ['range']],
        [lasts(60, undefined, 'contains'), []],
        [lasts(undefined, 90, 'equals'), []],
        [lasts(60, undefined, 'contained'), ['hour', 'long']],
      ])
    },
    { needs, once: true },
  ),
  check(
    'REG-075 REG-081 REG-082 REG-083 REG-084 REG-085 REG-086 REG-087 LIV-048',
    'A filter by price compares intervals in its currency according to its match mode',
    async (c) => {
      const { word } = await indexedBusiness(c, (category) => [
        serviceOf('range', category, usd({ model: 'variable', price_range: { min: 5000, max: 15_000 } })),
        serviceOf('fixed', category, usd({ model: 'fixed', amount: 12_000 })),
        serviceOf('hourly', category, usd({ model: 'hourly', amount: 1000, price_range: { min: 2000, max: 3000 } })),
        serviceOf('free', category, FREE),
        serviceOf('euro', category, { pricing: { model: 'fixed', amount: 12_000, currency: 'EUR' } }),
        serviceOf('unknown', category, usd({ model: 'variable' })),
      ])
      await expectFound(c, word, 'price_range', [
        [costs(8000, 10_000), ['range']],
        [costs(8000, 10_000, 'contains'), ['range']],
        [costs(8000, 10_000, 'contained'), []],
        [costs(8000, 10_000, 'equals'), []],
        [costs(12_000, 12_000, 'equals'), ['fixed']],
        [costs('12000', '12000', 'equals'), ['fixed']],
        [costs(2000, 3000, 'equals'), ['hourly']],
        [costs(500, 1500), []],
        [costs(0), ['range', 'fixed', 'hourly', 'free']],
        [costs(1), ['range', 'fixed', 'hourly']],
        [costs(undefined, 4000), ['hourly', 'free']],
        [costs(0, undefined, undefined, 'EUR'), ['euro']],
      ])
      const inContext = async (price_range: Members) =>
        idsOf(await searchServices(c, { categories: [word], price_range, context: { currency: 'EUR' } }))
      expectEqual(await inContext({ min: 1 }), ['euro'], 'the services for the currency of the context')
      const expected = ['fixed', 'hourly', 'range']
      expectEqual(await inContext({ min: 1, currency: 'USD' }), expected, 'the services for the currency of the filter')
    },
    { needs, once: true },
  ),
  check(
    'REG-059',
    'The registry accepts a search with only a duration or only a price',
    async (c) => {
      await indexedBusiness(c, (category) => [
        serviceOf(category, category, {
          duration: { fixed: `PT${ODD.minutes}M` },
          ...usd({ model: 'fixed', amount: ODD.price }),
        }),
      ])
      for (const filter of [
        { duration_range: lasts(ODD.minutes, ODD.minutes, 'equals') },
        { price_range: costs(ODD.price, ODD.price, 'equals') },
      ]) {
        const found = await searchServices(c, filter)
        expectTrue(found.length > 0, `a service for ${JSON.stringify(filter)}`, 'none')
      }
    },
    { needs },
  ),
  check(
    'REG-077 REG-089 LIV-011 LIV-049',
    'The registry refuses an invalid range of prices or durations',
    async (c) => {
      for (const input of [
        { duration_range: { min_minutes: 60, match: 'near' } },
        { price_range: { min: 100, currency: 'USD', match: 'near' } },
        { duration_range: { min_minutes: -1 } },
        { duration_range: { max_minutes: 1.5 } },
        { price_range: { min: 100 } },
        { price_range: { min: '1,000', currency: 'USD' } },
        { price_range: { max: '75.0', currency: 'USD' } },
      ])
        (await c.anonymous.call('searchServices', input)).failsWith('validation_error')
    },
    { needs },
  ),
]

/** Requires that each filter finds exactly these services of the business. */
async function expectFound(
  c: CheckContext,
  category: string,
  name: 'duration_range' | 'price_range',
  cases: [filter: Members, ids: string[]][],
): Promise<void> {
  for (const [filter, ids] of cases) {
    const found = await searchServices(c, { categories: [category], [name]: filter })
    expectEqual(idsOf(found), ids.toSorted(), `the services for ${JSON.stringify(filter)}`)
  }
}
