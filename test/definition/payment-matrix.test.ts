import { expect, test } from 'vitest'
import type { ServiceDefinition } from '../../src/protocol/types.generated.ts'
import { service } from '../support/definitions.ts'
import {
  expectAccepted,
  expectServiceFault,
  type FaultCase,
  offering,
  placesRefused,
  warningsOf,
  withMember,
} from './reading.ts'

const timings = ['at_booking', 'at_service', 'deposit_required'] as const
const amounts = ['fixed', 'hourly', 'per_person'] as const
type Timing = (typeof timings)[number]

const { payment_timing: _, ...policies } = service('svc_a').policies
const deposit = { type: 'percentage' as const, value: 20, refundable: true }

const paid = (payment_timing: Timing, pricing: Partial<ServiceDefinition['pricing']> = {}) =>
  service('svc_a', {
    pricing: {
      model: 'fixed',
      currency: 'USD',
      ...(pricing.model !== 'variable' && { amount: 7500 }),
      ...(payment_timing === 'deposit_required' && { deposit }),
      ...pricing,
    },
    policies: { ...policies, payment_timing },
  })
const free = service('svc_a', {
  pricing: { model: 'free', currency: 'USD' },
  policies: { ...policies, requires_payment: false },
})

test.each([...amounts, 'variable'])('[DEF-041] a price of model %s is refused where no payment is required', (model) =>
  expectServiceFault(free, 'pricing', { model, amount: 7500, currency: 'USD' }, 'pricing.model'),
)
test('[DEF-041] a variable price without amount is refused where no payment is required', () =>
  expectServiceFault(free, 'pricing.model', 'variable'))

test.each(['at_booking', 'at_service'])('[DEF-042] payment %s is refused where no payment is required', (timing) =>
  expectServiceFault(free, 'policies.payment_timing', timing),
)
test('[DEF-042] payment deposit_required is refused where no payment is required', () => {
  const refused = placesRefused(
    withMember(offering(free), 'services[svc_a].policies.payment_timing', 'deposit_required'),
  )
  expect(refused).toContain('services[svc_a].policies.payment_timing')
})

test('[DEF-043] a free service without payment, timing and amount is accepted', () => expectAccepted(offering(free)))

test.each([...amounts, 'variable'] as const)('[DEF-044] payment by model %s without a timing is refused', (model) =>
  expectServiceFault(paid('at_service', { model }), 'policies.payment_timing', undefined),
)

test.each(timings)('[DEF-045] payment of a free service is refused with timing %s', (timing) => {
  const pricing = { model: 'free', currency: 'USD', ...(timing === 'deposit_required' && { deposit }) }
  expectServiceFault(paid(timing), 'pricing', pricing, 'pricing.model')
})

test.each(timings.flatMap((timing) => amounts.map((model) => [model, timing] as const)))(
  '[DEF-046] payment by model %s with an amount and timing %s is accepted',
  (model, timing) => expectAccepted(offering(paid(timing, { model }))),
)

test.each(timings)('[DEF-047] payment of a variable price without amount is accepted with timing %s', (timing) => {
  const variable = paid(timing, { model: 'variable' })
  expect(variable.pricing).not.toHaveProperty('amount')
  expectAccepted(offering(variable))
})

test.each(['before', 'AT_BOOKING', '', null])('[DEF-048] the timing %j is refused', (wrong) =>
  expectServiceFault(paid('at_booking'), 'policies.payment_timing', wrong),
)

test.each([...amounts, 'variable'] as const)('[DEF-049] a required deposit with model %s must be given', (model) =>
  expectServiceFault(paid('deposit_required', { model }), 'pricing.deposit', undefined),
)
test('[DEF-049] a required deposit of a free service must be given, besides all else that is wrong', () => {
  const pricing = { model: 'free', currency: 'USD' }
  const refused = placesRefused(withMember(offering(paid('deposit_required')), 'services[svc_a].pricing', pricing))
  expect(refused).toContain('services[svc_a].pricing.deposit')
})

const flat: ServiceDefinition = paid('deposit_required', { deposit: { type: 'fixed', value: 2000, refundable: false } })
const depositFaults: FaultCase[] = [
  ['[DEF-050] a deposit of an unknown type is refused', 'pricing.deposit.type', 'half'],
  ['[DEF-050] a deposit whose value is a string is refused', 'pricing.deposit.value', '20'],
  ['[DEF-050] a deposit whose value is null is refused', 'pricing.deposit.value', null],
  ['[DEF-051] a deposit without type is refused', 'pricing.deposit.type', undefined],
  ['[DEF-051] a deposit without value is refused', 'pricing.deposit.value', undefined],
  ['[DEF-051] a deposit without refundable is refused', 'pricing.deposit.refundable', undefined],
  ['[DEF-051] a deposit of more than everything is refused', 'pricing.deposit.value', 100.5],
  ['[DEF-051] a deposit of 0 percent is refused', 'pricing.deposit.value', 0],
  ['[DEF-051] a deposit of less than nothing is refused', 'pricing.deposit.value', -20],
]
test.each(depositFaults)('%s', (_, path, wrong) => expectServiceFault(paid('deposit_required'), path, wrong))

test.each([0, -1, 20.5])('[DEF-051] a fixed deposit of %d minor units is refused', (value) =>
  expectServiceFault(flat, 'pricing.deposit.value', value),
)
test.each([0.5, 12.5, 100])('[DEF-051] a deposit of %d percent is accepted', (value) =>
  expectAccepted(offering(paid('deposit_required', { deposit: { ...deposit, value } }))),
)
test('[DEF-050] a deposit of a fixed amount is accepted', () => expectAccepted(offering(flat)))

const HALF_TO_TWO_HOURS = { range: { min: 'PT30M', max: 'PT2H', step: 'PT30M' } }
const ofTwo = { type: 'reservation', capacity: { min: 2, max: 4 } } as const
const above = 'services[svc_a].pricing.deposit.value'
const withFixed = (
  value: number,
  pricing: Partial<ServiceDefinition['pricing']>,
  more: Partial<ServiceDefinition>,
) => ({
  ...paid('deposit_required', { deposit: { type: 'fixed', value, refundable: true }, ...pricing }),
  ...more,
})
const cheaper = { price_rules: [{ days: ['friday' as const], amount: 5000 }] }

/** The lowest and the highest price of a service. */
const spans: [string, Partial<ServiceDefinition['pricing']>, Partial<ServiceDefinition>, number, number][] = [
  ['a fixed price', {}, {}, 7500, 7500],
  ['a price rule with a lower amount', {}, cheaper, 5000, 7500],
  ['a price rule with a percentage', {}, { price_rules: [{ percent: 200 }] }, 7500, 15_000],
  ['a price by the hour', { model: 'hourly' }, { duration: HALF_TO_TWO_HOURS }, 3750, 15_000],
  ['a price per person', { model: 'per_person' }, ofTwo, 15_000, 30_000],
  ['a variable price', { model: 'variable', amount: 4000 }, {}, 4000, 4000],
  ['a variable price with a range', { model: 'variable', price_range: { min: 4000, max: 9000 } }, {}, 4000, 4000],
]
test.each(spans)(
  '[DEF-051] with %s, a fixed deposit above every price is refused, and above some prices draws a warning',
  (_, pricing, more, lowest, highest) => {
    const of = (value: number) => withFixed(value, pricing, more)
    expect(placesRefused(offering(of(highest + 1)))).toEqual([above])
    expectAccepted(offering(of(highest)))
    expect(warningsOf(of(lowest))).toEqual([])
    const line = new RegExp(`^business\\.json:1: services\\[svc_a\\]\\.pricing\\.deposit\\.value .* ${lowest}:`)
    if (highest > lowest) expect(warningsOf(of(lowest + 1))).toEqual([expect.stringMatching(line)])
  },
)

test('[DEF-051] a fixed deposit may reach the price with the tax on top', () => {
  const taxed = { ...offering(withFixed(8250, {}, {})), payments: { tax: { percent: 10, included: false } } }
  expectAccepted(taxed)
  expect(placesRefused(withMember(taxed, above, 8251))).toEqual([above])
  expect(placesRefused({ ...taxed, payments: { tax: { percent: 10, included: true } } })).toEqual([above])
})

test('[DEF-051] a price per person without a largest party can reach any deposit', () => {
  const open = withFixed(100_000, { model: 'per_person' }, { type: 'appointment' })
  expectAccepted(offering(open))
  expect(warningsOf(open)).toEqual([expect.stringContaining('.pricing.deposit.value ')])
})

test('[DEF-051] a fixed deposit that the service does not require has no upper limit', () => {
  const unused = paid('at_booking', { deposit: { type: 'fixed', value: 9000, refundable: true } })
  expectAccepted(offering(unused))
  expect(warningsOf(unused)).toEqual([])
})
