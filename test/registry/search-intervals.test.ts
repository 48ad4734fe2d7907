import { expect, test } from 'vitest'
import type { Pricing, Service } from '../../src/protocol/types.generated.ts'
import { type Caller, onBothBindings } from '../support/both-bindings.ts'
import { index, list, registry } from './directory.ts'
import { fed } from './services.ts'

const MODES = ['overlap', 'contained', 'contains', 'equals'] as const
type Mode = (typeof MODES)[number]
type Interval = [number, number]

const server = await registry()
const { db } = server.runtime

/** Businesses whose vertical keeps the services of one test apart from those of another. */
const catalogue = async (type: string, services: Service[]) => {
  await list(db, `reg_${type}`, {}, [])
  await index(
    db,
    `reg_${type}`,
    services.map((one) => ({ ...one, type })),
  )
}

const search = (call: Caller, input: Record<string, unknown>) =>
  call('usp_registry_search_services', { ...input, pagination: { limit: 100 } })
const found = async (call: Caller, input: Record<string, unknown>): Promise<string[]> => {
  const { payload } = await search(call, input)
  expect(payload).not.toHaveProperty('messages')
  return payload.services.map(({ service_id }: { service_id: string }) => service_id).sort()
}

const lasting = (id: string, duration: Service['duration']) => fed(id, { duration })
const costing = (id: string, pricing: Partial<Pricing>) =>
  fed(id, { pricing: { model: 'fixed', currency: 'USD', ...pricing } })

await catalogue('lengths', [
  lasting('from_30_to_90', { range: { min: 'PT30M', max: 'PT1H30M', step: 'PT30M' } }),
  lasting('hour', { fixed: 'PT60M' }),
  lasting('hour_and_half', { fixed: 'PT1H30M' }),
  lasting('undetermined', { undetermined: true }),
])
await catalogue('prices', [
  costing('from_50_to_150', { model: 'variable', price_range: { min: 5000, max: 15_000 } }),
  costing('hourly', { model: 'hourly', amount: 4000, price_range: { min: 4000, max: 16_000 } }),
  costing('per_person', { model: 'per_person', amount: 2000, price_range: { min: 2000, max: 6000 } }),
  costing('fixed_120', { amount: 12_000 }),
  costing('free', { model: 'free' }),
  costing('untold', { model: 'variable' }),
  costing('euros', { amount: 9000, currency: 'EUR' }),
])

onBothBindings(server, (call) => {
  const lengths = (duration_range: object) => found(call, { verticals: ['lengths'], duration_range })
  const prices = (price_range: object, more = {}) => found(call, { verticals: ['prices'], price_range, ...more })

  test.each([
    ['[REG-071]', { min_minutes: 60, max_minutes: 60 }, true],
    ['[REG-071]', { min_minutes: 90, max_minutes: 120 }, true],
    ['[REG-071]', { min_minutes: 91, max_minutes: 120 }, false],
    ['[REG-071]', { min_minutes: 60, max_minutes: 60, match: 'overlap' }, true],
    ['[REG-072]', { min_minutes: 30, max_minutes: 120, match: 'contained' }, true],
    ['[REG-072]', { min_minutes: 60, max_minutes: 60, match: 'contained' }, false],
    ['[REG-073]', { min_minutes: 60, max_minutes: 60, match: 'contains' }, true],
    ['[REG-073]', { min_minutes: 60, max_minutes: 120, match: 'contains' }, false],
    ['[REG-074]', { min_minutes: 30, max_minutes: 90, match: 'equals' }, true],
    ['[REG-074]', { min_minutes: 60, max_minutes: 60, match: 'equals' }, false],
    ['[REG-074]', { min_minutes: 30, max_minutes: 91, match: 'equals' }, false],
  ])('%s of 30 to 90 minutes %j is %s', async (_, range, is) => {
    expect((await lengths(range)).includes('from_30_to_90')).toBe(is)
  })

  test('[REG-074] an hour equals exactly an hour', async () => {
    expect(await lengths({ min_minutes: 60, max_minutes: 60, match: 'equals' })).toEqual(['hour'])
  })

  test('[REG-075] a bound that is left out is open', async () => {
    expect(await lengths({ min_minutes: 61 })).toEqual(['from_30_to_90', 'hour_and_half'])
    expect(await lengths({ max_minutes: 59 })).toEqual(['from_30_to_90'])
    expect(await lengths({ max_minutes: 89, match: 'contained' })).toEqual(['hour'])
    expect(await prices({ max: 1000, currency: 'USD' })).toEqual(['free'])
    expect(await prices({ min: 15_001, currency: 'USD' })).toEqual(['hourly'])
  })

  test.each(['contains', 'equals'])('[REG-076] nothing %s what is open on one side', async (match) => {
    expect(await lengths({ min_minutes: 0, match })).toEqual([])
    expect(await lengths({ max_minutes: 1000, match })).toEqual([])
    expect(await lengths({ match })).toEqual([])
    expect(await prices({ min: 0, currency: 'USD', match })).toEqual([])
  })

  test.each(['overlap', 'contained'])('[REG-076] %s is possible with what is open on one side', async (match) => {
    expect(await lengths({ min_minutes: 0, match })).toEqual(['from_30_to_90', 'hour', 'hour_and_half'])
    expect(await lengths({ max_minutes: 90, match })).toEqual(['from_30_to_90', 'hour', 'hour_and_half'])
  })

  test('[REG-078] PT1H30M is 90 minutes, and a range goes from its least to its most', async () => {
    const equals = { match: 'equals' }
    expect(await lengths({ min_minutes: 90, max_minutes: 90, ...equals })).toEqual(['hour_and_half'])
    expect(await lengths({ min_minutes: 30, max_minutes: 90, ...equals })).toEqual(['from_30_to_90'])
  })

  test('[REG-079] [REG-080] what has no set length is left out of searches by length alone', async () => {
    for (const match of MODES) expect(await lengths({ max_minutes: 100_000, match })).not.toContain('undetermined')
    expect(await lengths({ match: 'overlap' })).not.toContain('undetermined')
    expect(await found(call, { verticals: ['lengths'] })).toContain('undetermined')
  })

  test.each([
    ['overlap', true],
    ['contains', true],
    ['contained', false],
    ['equals', false],
  ])('[REG-081] 50 to 150 dollars and 80 to 100: %s is %s', async (match, is) => {
    const ids = await prices({ min: 8000, max: 10_000, currency: 'USD', match })
    expect(ids.includes('from_50_to_150')).toBe(is)
  })

  test('[REG-082] a fixed price is one point, others go by their range', async () => {
    const equal = (min: number, max: number) => prices({ min, max, currency: 'USD', match: 'equals' })
    expect(await equal(12_000, 12_000)).toEqual(['fixed_120'])
    expect(await equal(5000, 15_000)).toEqual(['from_50_to_150'])
    expect(await equal(4000, 16_000)).toEqual(['hourly'])
    expect(await equal(2000, 6000)).toEqual(['per_person'])
  })

  test('[LIV-048] bounds in digits count like numbers', async () => {
    expect(await prices({ min: '12000', max: 12_000, currency: 'USD', match: 'equals' })).toEqual(['fixed_120'])
    expect(await prices({ min: '15001', currency: 'USD' })).toEqual(['hourly'])
    expect(await prices({ max: '1000', currency: 'USD' })).toEqual(['free'])
  })

  test.each(['75.0', '3.5e4', '1,000', '+5', ''])('[LIV-049] the price bound %j is refused', async (min) => {
    const { error } = await search(call, { price_range: { min, currency: 'USD' } })
    expect([error?.code, error?.errors?.[0]?.field]).toEqual(['validation_error', 'price_range.min'])
  })

  test('[LIV-048] bounds in digits are compared as numbers', async () => {
    const { error } = await search(call, { price_range: { min: '1000', max: '999', currency: 'USD' } })
    expect(error?.code).toBe('validation_error')
  })

  test('[LIV-051] a length in digits is refused', async () => {
    const { error } = await search(call, { duration_range: { min_minutes: '60' } })
    expect([error?.code, error?.errors?.[0]?.field]).toEqual(['validation_error', 'duration_range.min_minutes'])
  })

  test('[REG-083] what has no price to compare is left out of searches by price', async () => {
    expect(await prices({ currency: 'USD' })).not.toContain('untold')
    expect(await found(call, { verticals: ['prices'] })).toContain('untold')
  })

  test('[REG-084] free is nothing in its currency', async () => {
    expect(await prices({ min: 0, max: 100, currency: 'USD' })).toEqual(['free'])
    expect(await prices({ min: 1, max: 100, currency: 'USD' })).toEqual([])
    expect(await prices({ min: 0, max: 0, currency: 'USD', match: 'equals' })).toEqual(['free'])
    expect(await prices({ min: 0, max: 100, currency: 'EUR' })).toEqual([])
  })

  test('[REG-085] prices in another currency are left out, not converted', async () => {
    expect(await prices({ min: 1, currency: 'EUR' })).toEqual(['euros'])
    expect(await prices({ min: 9000, max: 9000, currency: 'USD' })).not.toContain('euros')
    expect(await prices({ min: 1, currency: 'JPY' })).toEqual([])
  })

  test('[REG-086] the currency of the context serves where the range has none', async () => {
    expect(await prices({ min: 1 }, { context: { currency: 'EUR' } })).toEqual(['euros'])
  })

  test('[REG-087] the currency of the range wins over the context', async () => {
    expect(await prices({ min: 1, currency: 'EUR' }, { context: { currency: 'USD' } })).toEqual(['euros'])
  })

  test('[REG-088] [LIV-011] a price without a currency is refused', async () => {
    for (const context of [undefined, {}, { locale: 'en-US' }]) {
      const { error } = await search(call, {
        verticals: ['prices'],
        price_range: { min: 1 },
        ...(context && { context }),
      })
      expect(error).toMatchObject({ code: 'validation_error', errors: [{ field: 'price_range.currency' }] })
    }
  })

  test.each([
    [{ price_range: { min: 2, max: 1, currency: 'USD' } }, 'price_range'],
    [{ duration_range: { min_minutes: 90, max_minutes: 60, match: 'contains' } }, 'duration_range'],
  ])('%j runs backwards and is refused', async (input, field) => {
    const { error } = await search(call, input)
    expect(error).toMatchObject({ code: 'validation_error', errors: [{ field }] })
  })

  test('numbers beyond any price or length are but numbers', async () => {
    expect(await prices({ min: -1e300, max: 1e300, currency: 'EUR' })).toEqual(['euros'])
    expect(await lengths({ min_minutes: 1e300 })).toEqual([])
  })
})

/** Every interval over a few points, each as price and length of one service in either currency. */
const POINTS = [0, 30, 60, 90]
const intervals: Interval[] = POINTS.flatMap((from) =>
  POINTS.filter((to) => to >= from).map((to): Interval => [from, to]),
)
const CURRENCIES = ['USD', 'EUR']
const made = CURRENCIES.flatMap((currency) =>
  intervals.map(([from, to]) => ({ id: `${currency}_${from}_${to}`, currency, interval: [from, to] as Interval })),
)
await catalogue(
  'matrix',
  made.map(({ id, currency, interval: [min, max] }) =>
    fed(id, {
      duration: { range: { min: `PT${min}M`, max: `PT${max}M`, step: 'PT15M' } },
      pricing: { model: 'variable', currency, price_range: { min, max } },
    }),
  ),
)

/** As sets of whole numbers, far beyond the points on both sides. */
const numbers = ([from, to]: Interval) => new Set(Array.from({ length: to - from + 1 }, (_, index) => from + index))
const expected: Record<Mode, (service: Set<number>, filter: Set<number>) => boolean> = {
  overlap: (service, filter) => !service.isDisjointFrom(filter),
  contained: (service, filter) => service.isSubsetOf(filter),
  contains: (service, filter) => service.isSupersetOf(filter),
  equals: (service, filter) => service.isSubsetOf(filter) && service.isSupersetOf(filter),
}
const bounds = [undefined, 0, 29, 30, 45, 60, 90, 91]
const asked = bounds.flatMap((low) =>
  bounds.filter((high) => (low ?? 0) <= (high ?? 100)).map((high) => ({ low, high })),
)

onBothBindings(server, (call) => {
  test.each(MODES.flatMap((match) => CURRENCIES.map((currency) => ({ match, currency }))))(
    '[REG-071] [REG-072] [REG-073] [REG-074] [REG-075] [REG-076] [REG-085] every interval, $match in $currency',
    async ({ match, currency }) => {
      for (const { low, high } of asked) {
        const filter = numbers([low ?? -10, high ?? 100])
        const fitting = made.filter(({ interval }) => expected[match](numbers(interval), filter))
        const inCurrency = fitting.filter((one) => one.currency === currency).map(({ id }) => id)
        const price_range = { min: low, max: high, currency, match }
        expect(await found(call, { verticals: ['matrix'], price_range }), `${low} to ${high}`).toEqual(
          inCurrency.sort(),
        )
        const duration_range = { min_minutes: low, max_minutes: high, match }
        const all = fitting.map(({ id }) => id).sort()
        expect(await found(call, { verticals: ['matrix'], duration_range }), `${low} to ${high}`).toEqual(all)
      }
    },
  )
})
