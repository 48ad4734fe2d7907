import { expect, test } from 'vitest'
import { service } from '../support/definitions.ts'
import { expectAccepted, expectServiceFault, type FaultCase, offering, warningsOf } from './reading.ts'

const { policies } = service('svc_a')
const strict = service('svc_a', {
  policies: {
    ...policies,
    cancellation: { allowed: true, late_cancellation_fee: 2000 },
    rescheduling: { allowed: true, max_reschedules: 2, fee: 500 },
    no_show: { fee_percentage: 50 },
  },
})

test.each(['cancellation', 'rescheduling', 'booking_window', 'confirmation_mode', 'requires_payment'])(
  '[DEF-052] policies without %s are refused',
  (member) => expectServiceFault(strict, `policies.${member}`, undefined),
)

test.each(['cancellation', 'rescheduling'])('[DEF-053] %s must say whether it is allowed', (member) => {
  expectServiceFault(strict, `policies.${member}.allowed`, undefined)
  expectServiceFault(strict, `policies.${member}.allowed`, 'yes')
  expectServiceFault(strict, `policies.${member}.allowed`, 1)
})

test.each(['min_advance', 'max_advance', 'slot_interval'])(
  '[DEF-054] a booking window without %s is refused',
  (member) => expectServiceFault(strict, `policies.booking_window.${member}`, undefined),
)

test.each(['auto', 'manual'] as const)('[DEF-055] the confirmation mode %s is accepted', (confirmation_mode) =>
  expectAccepted(offering(service('svc_a', { policies: { ...policies, confirmation_mode } }))),
)
test.each(['instant', 'AUTO', '', true])('[DEF-055] the confirmation mode %j is refused', (wrong) =>
  expectServiceFault(strict, 'policies.confirmation_mode', wrong),
)

const shares: FaultCase[] = [
  ['[DEF-056] a no-show fee below 0 percent is refused', 'policies.no_show.fee_percentage', -1],
  ['[DEF-056] a no-show fee above 100 percent is refused', 'policies.no_show.fee_percentage', 101],
  ['[DEF-056] a no-show fee of a fractional percentage is refused', 'policies.no_show.fee_percentage', 12.5],
]
test.each(shares)('%s', (_, path, wrong) => expectServiceFault(strict, path, wrong))
test.each([0, 100])('[DEF-056] a no-show fee of %i percent is accepted', (fee_percentage) =>
  expectAccepted(offering(service('svc_a', { policies: { ...policies, no_show: { fee_percentage } } }))),
)

test('[DEF-057] a no-show fee given twice draws a warning that names it; given once it does not', () => {
  const both = service('svc_a', { policies: { ...policies, no_show: { fee: 1000, fee_percentage: 50 } } })
  expect(warningsOf(both)).toEqual([expect.stringMatching(/^business\.json:1: services\[svc_a\]\.policies\.no_show /)])
  expect(warningsOf(strict)).toEqual([])
})

test('a waitlist that nobody could join draws a warning that names it', () => {
  const queued = (min: number) => service('svc_a', { capacity: { min, max: 4, waitlist: true } })
  expect(warningsOf(queued(2))).toEqual([expect.stringMatching(/ services\[svc_a\]\.capacity\.waitlist /)])
  expect(warningsOf(queued(1))).toEqual([])
})

const flat = service('svc_a', { policies: { ...strict.policies, no_show: { fee: 1000 } } })
const wholeNumbers = [
  'policies.cancellation.late_cancellation_fee',
  'policies.rescheduling.fee',
  'policies.rescheduling.max_reschedules',
  'policies.no_show.fee',
]
test.each(wholeNumbers.flatMap((path) => ['10', 12.5, true, null].map((wrong) => [path, wrong] as const)))(
  '[DEF-058] %s must be a whole number, which %j is not',
  (path, wrong) => expectServiceFault(flat, path, wrong),
)
