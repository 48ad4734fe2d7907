import { expect, test } from 'vitest'
import { readDefinition } from '../../src/domain/definition/read-definition.ts'
import type { BusinessDefinition, PriceRule, ServiceDefinition } from '../../src/protocol/types.generated.ts'
import { businessWith, service } from '../support/definitions.ts'

type Pricing = Partial<ServiceDefinition['pricing']>
type Payments = BusinessDefinition['payments']

interface Case {
  pricing?: Pricing
  timing?: 'at_booking' | 'at_service' | 'deposit_required'
  rules?: PriceRule[]
  payments?: Payments
}

const deposit = (type: 'fixed' | 'percentage', value: number): Case => ({
  timing: 'deposit_required',
  pricing: { amount: 12_340, deposit: { type, value, refundable: true } },
})

/** The warnings about payments that Stripe refuses. */
function warned({ pricing, timing = 'at_booking', rules, payments = { provider: 'stripe' } }: Case) {
  const base = service('svc_a')
  const one = {
    ...base,
    pricing: { model: 'fixed' as const, amount: 12_340, currency: 'KWD', ...pricing },
    policies: { ...base.policies, payment_timing: timing },
    ...(rules && { price_rules: rules }),
  }
  const { noted } = readDefinition(JSON.stringify(businessWith([one], { payments })), 'business.json')
  return noted.filter(({ code }) => code === 'stripe_amount').map(({ path, values }) => [path, values.zeros])
}

const tax = (percent: number, included: boolean): Payments => ({ provider: 'stripe', tax: { percent, included } })

test.each<[string, Case, [string, string][]]>([
  ['the last digit 5', { pricing: { amount: 12_345 } }, [['services[svc_a].pricing', '0']]],
  ['a fixed deposit of 1234', deposit('fixed', 1_234), [['services[svc_a].pricing', '0']]],
  ['a deposit of 20 percent', deposit('percentage', 20), [['services[svc_a].pricing', '0']]],
  ['a tax that leads to 12957', { payments: tax(5, false) }, [['services[svc_a].pricing', '0']]],
  [
    'a rule with the last digit 1',
    { rules: [{ days: ['friday'], amount: 9_001 }, { amount: 9_000 }] },
    [['services[svc_a].price_rules[0]', '0']],
  ],
  [
    'a rule of 75 percent',
    { rules: [{ season: { from: '2027-06-01' }, percent: 75 }] },
    [['services[svc_a].price_rules[0]', '0']],
  ],
  ['a fraction of an ariary', { pricing: { amount: 500_010, currency: 'MGA' } }, [['services[svc_a].pricing', '00']]],
])('a payment in steps that Stripe refuses draws a warning: %s', (_, given, warnings) =>
  expect(warned(given)).toEqual(warnings),
)

test.each<[string, Case]>([
  ['the last digit 0', {}],
  ['a tax that the price includes', { payments: tax(5, true) }],
  ['a payment at the visit', { pricing: { amount: 12_345 }, timing: 'at_service' }],
  ['a price of which only a deposit is paid in advance', { ...deposit('fixed', 1_230), payments: tax(5, false) }],
  ['a payment that the staff collect', { pricing: { amount: 12_345 }, payments: { provider: 'manual' } }],
  ['a currency without such a rule', { pricing: { amount: 12_345, currency: 'USD' } }],
  ['a currency without decimals', { pricing: { amount: 12_345, currency: 'ISK' } }],
  ['a rule that leads to full steps', { rules: [{ percent: 50 }] }],
])('another payment draws none: %s', (_, given) => expect(warned(given)).toEqual([]))
