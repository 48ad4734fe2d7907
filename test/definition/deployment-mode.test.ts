import { describe, expect, test } from 'vitest'
import { readDefinition } from '../../src/domain/definition/read-definition.ts'
import type { BusinessDefinition, ServiceDefinition } from '../../src/protocol/types.generated.ts'
import { businessWith, service } from '../support/definitions.ts'
import { expectAccepted, expectFault, placesRefused, withMember } from './reading.ts'

const { payment_timing: _, ...policies } = service('svc_a').policies
const free = service('svc_a', {
  pricing: { model: 'free', currency: 'USD' },
  policies: { ...policies, requires_payment: false },
})
const deposit = { type: 'percentage' as const, value: 20, refundable: true }
const paid = (payment_timing: 'at_booking' | 'at_service' | 'deposit_required'): ServiceDefinition =>
  service('svc_a', {
    pricing: {
      model: 'fixed',
      amount: 7500,
      currency: 'USD',
      ...(payment_timing === 'deposit_required' && { deposit }),
    },
    policies: { ...policies, payment_timing },
  })
const inMode = (deployment_mode: BusinessDefinition['deployment_mode'], ...services: ServiceDefinition[]) => ({
  ...businessWith(services),
  ...(deployment_mode && { deployment_mode }),
})

test.each(['UCP_NATIVE', 'ucp', '', null, true])('the deployment mode %j is refused', (wrong) =>
  expectFault(inMode('standalone', free), 'deployment_mode', wrong),
)

describe('a business without UCP checkout', () => {
  test.each(['at_booking', 'deposit_required'] as const)(
    '[LIV-102] is refused as ucp_native with a service paid %s, and accepted as standalone',
    (timing) => {
      expect(placesRefused(inMode('ucp_native', free, { ...paid(timing), id: 'svc_b' }))).toEqual([
        'services[svc_b].policies.payment_timing',
      ])
      expectAccepted(inMode('standalone', paid(timing)))
      expectAccepted(inMode(undefined, paid(timing)))
    },
  )

  test('is told why, and what to do instead', () => {
    const read = () => readDefinition(JSON.stringify(inMode('ucp_native', paid('at_booking'))), 'business.json')
    expect(read).toThrow(/at_booking.*UCP checkout.*at_service.*standalone/)
  })

  test('is accepted as ucp_native with services that are free or paid on the spot', () =>
    expectAccepted(inMode('ucp_native', free, { ...paid('at_service'), id: 'svc_b' })))
})

test.each(['dev.ucp.shopping.checkout', 'dev.ucp.services.loyalty', 'dev.usp-protocol.services.paid_bookings'])(
  '%s is not a business’s own to declare, in neither mode',
  (name) => {
    const entry = { version: '2026-01-11', spec: 'https://ucp.dev/checkout', schema: 'https://ucp.dev/checkout.json' }
    for (const mode of ['standalone', 'ucp_native'] as const)
      expect(placesRefused({ ...inMode(mode, free), capabilities: { [name]: [entry] } })).not.toEqual([])
  },
)

test('older versions of the USP profile have no place in a UCP profile', () => {
  const older = { '2026-01-11': { usp: { version: '2026-01-11' } } }
  const native = inMode('ucp_native', free)
  expectAccepted(native)
  expect(placesRefused(withMember(native, 'supported_versions', older))).toEqual(['supported_versions'])
  expect(placesRefused(withMember(inMode('standalone', free), 'supported_versions', older))).toEqual([])
})
