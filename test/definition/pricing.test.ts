import { expect, test } from 'vitest'
import type { ServiceDefinition } from '../../src/protocol/types.generated.ts'
import { service } from '../support/definitions.ts'
import { expectAccepted, expectServiceFault, type FaultCase, offering, warningsOf } from './reading.ts'

const { payment_timing: _, ...unpaid } = service('svc_a').policies
const free = service('svc_a', {
  pricing: { model: 'free', currency: 'USD' },
  policies: { ...unpaid, requires_payment: false },
})
const priced = (pricing: Partial<ServiceDefinition['pricing']>) =>
  service('svc_a', { pricing: { model: 'fixed', amount: 7500, currency: 'USD', ...pricing } })
const variable = service('svc_a', { pricing: { model: 'variable', currency: 'USD' } })
const hourly = priced({ model: 'hourly', price_range: { min: 5000, max: 9000 } })
const byModel: [string, ServiceDefinition][] = [
  ['fixed', priced({ model: 'fixed' })],
  ['hourly', priced({ model: 'hourly' })],
  ['per_person', priced({ model: 'per_person' })],
  ['variable', variable],
  ['free', free],
]

test.each(byModel)('[DEF-029] the price model %s is accepted', (_, base) => expectAccepted(offering(base)))
test.each(['auction', 'Fixed', '', undefined])('[DEF-029] the price model %j is refused', (wrong) =>
  expectServiceFault(priced({}), 'pricing.model', wrong),
)

test.each(byModel)('[DEF-030] a price of model %s without currency is refused', (_, base) =>
  expectServiceFault(base, 'pricing.currency', undefined),
)

test.each(['usd', 'US', 'DOLLAR', '', '840', 'ZZQ', 'U$D'])('[DEF-031] the currency "%s" is refused', (wrong) =>
  expectServiceFault(priced({}), 'pricing.currency', wrong),
)
test.each(['USD', 'EUR', 'JPY', 'BHD', 'CLF', 'VED'])('[DEF-031] the ISO 4217 currency %s is accepted', (currency) =>
  expectAccepted(offering(priced({ currency }))),
)

const needingAmount = ['fixed', 'hourly', 'per_person'] as const
test.each(needingAmount)('[DEF-032] a price of model %s without amount is refused', (model) =>
  expectServiceFault(priced({ model }), 'pricing.amount', undefined),
)
test.each(needingAmount.flatMap((model) => [0, -1, -7500].map((amount) => [model, amount] as const)))(
  '[DEF-033] a price of model %s and amount %i is refused',
  (model, amount) => expectServiceFault(priced({ model }), 'pricing.amount', amount),
)
test.each(needingAmount)('[DEF-033] a price of model %s and one minor unit is accepted', (model) =>
  expectAccepted(offering(priced({ model, amount: 1 }))),
)

test.each([75.5, '7500', '', null, true])('[DEF-034] the amount %j is refused', (wrong) =>
  expectServiceFault(priced({}), 'pricing.amount', wrong),
)

test.each([0, 1, 7500])('[DEF-035] a free service with the amount %i is refused', (amount) =>
  expectServiceFault(free, 'pricing.amount', amount),
)
test('[DEF-036] a free service with a price range is refused', () =>
  expectServiceFault(free, 'pricing.price_range', { min: 0, max: 0 }))

test('[DEF-037] a variable price is accepted with and without an amount', () => {
  expectAccepted(offering(variable))
  expectAccepted(offering(priced({ model: 'variable', amount: 4000 })))
})

const rangeFaults: FaultCase[] = [
  ['[DEF-038] a price range without min is refused', 'pricing.price_range.min', undefined],
  ['[DEF-038] a price range without max is refused', 'pricing.price_range.max', undefined],
  ['[DEF-038] a price range from a fraction is refused', 'pricing.price_range.min', 49.5],
  ['[DEF-038] a price range to a fraction is refused', 'pricing.price_range.max', 9000.5],
  ['[DEF-038] a price range from a string is refused', 'pricing.price_range.min', '5000'],
  ['[DEF-038] a price range to a string is refused', 'pricing.price_range.max', '9000'],
  ['[DEF-039] a price range with min above max is refused', 'pricing.price_range.min', 9001, 'pricing.price_range'],
]
test.each(rangeFaults)('%s', (_, path, wrong, named) => expectServiceFault(hourly, path, wrong, named))
test('[DEF-039] a price range of one price is accepted', () =>
  expectAccepted(offering(priced({ model: 'hourly', price_range: { min: 5000, max: 5000 } }))))

test('[DEF-040] a fixed price with a price range draws a warning that names it', () => {
  expect(warningsOf(priced({ price_range: { min: 7500, max: 7500 } }))).toEqual([
    expect.stringMatching(/^business\.json:1: services\[svc_a\]\.pricing\.price_range /),
  ])
})
test('[DEF-040] no other price draws a warning', () => {
  expect(byModel.flatMap(([, base]) => warningsOf(base))).toEqual([])
  expect(warningsOf(hourly)).toEqual([])
})

const seasonal = service('svc_a', {
  price_rules: [{ season: { from: '2027-06-01', to: '2027-08-31' }, days: ['friday'], from: '18:00', amount: 9000 }],
})
const seasonFaults: FaultCase[] = [
  ['a season cannot end before it begins', 'price_rules[0].season.to', '2027-05-31', 'price_rules[0].season'],
  ['a season begins or ends', 'price_rules[0].season', {}],
  ['a season is of days', 'price_rules[0].season.from', '2027-06'],
]
test.each(seasonFaults)('%s', (_, path, wrong, named) => expectServiceFault(seasonal, path, wrong, named))
test.each(['from', 'to'])('a season of which no %s is known is accepted', (member) => {
  const { season, ...rule } = { ...seasonal.price_rules?.[0], amount: 9000 }
  const known = Object.fromEntries(Object.entries(season ?? {}).filter(([name]) => name !== member))
  expectAccepted(offering({ ...seasonal, price_rules: [{ ...rule, season: known }] }))
})
