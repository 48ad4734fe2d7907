import { expect, test } from 'vitest'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import { operations } from '../../src/server/all-operations.ts'
import { businessWith, service } from '../support/definitions.ts'
import { testServer } from '../support/server.ts'

const usual = service('svc').policies
const { payment_timing: _, ...unpaid } = usual
const stripe = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' }
const onTheSpot = service('svc_spot')
const free = service('svc_free', {
  pricing: { model: 'free', currency: 'USD' },
  policies: { ...unpaid, requires_payment: false },
})
const paid = service('svc_paid', { policies: { ...usual, payment_timing: 'at_booking' } })
const deposit = service('svc_deposit', {
  pricing: {
    model: 'fixed',
    amount: 7500,
    currency: 'USD',
    deposit: { type: 'fixed', value: 1000, refundable: true },
  },
  policies: { ...usual, payment_timing: 'deposit_required' },
})
const byStripe: Partial<BusinessDefinition> = { payments: { provider: 'stripe' } }

const systemsOf = async (definition: BusinessDefinition, env: NodeJS.ProcessEnv, served = operations) =>
  (await (await testServer(definition, { env, operations: served })).rest('GET', '/.well-known/usp')).body.usp
    .checkout_systems

test.each<[string, BusinessDefinition, NodeJS.ProcessEnv, string[] | undefined]>([
  [
    'the page and the platform, with an account at Stripe',
    businessWith([paid], byStripe),
    stripe,
    ['redirect', 'embedded'],
  ],
  ['both for a deposit as well', businessWith([free, deposit], byStripe), stripe, ['redirect', 'embedded']],
  ['the platform alone, where the staff take the money', businessWith([paid]), stripe, ['embedded']],
  ['the platform alone, without an account', businessWith([paid], byStripe), {}, ['embedded']],
  ['[PRO-024] nothing, where nothing is paid ahead', businessWith([free, onTheSpot], byStripe), stripe, undefined],
])('[PRO-023] through which money can be taken: %s', async (_, definition, env, expected) => {
  expect(await systemsOf(definition, env)).toEqual(expected)
})

test('[PRO-023] a server that hears of no payments names no way to take them', async () => {
  const reading = operations.filter(({ effect, access }) => effect === 'read' && access === 'public')
  expect(await systemsOf(businessWith([paid], byStripe), stripe, reading)).toBeUndefined()
})
