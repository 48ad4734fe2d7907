import { expect, test } from 'vitest'
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

const { policies } = service('svc_a')
const strict = service('svc_a', {
  policies: {
    ...policies,
    cancellation: { allowed: true, late_cancellation_fee: 2000 },
    rescheduling: { allowed: true, max_reschedules: 2, fee: 500 },
    no_show: { fee_percentage: 50 },
  },
})

test.each(['cancellation', 'rescheduling', 'confirmation_mode', 'requires_payment'])(
  '[DEF-052] policies without %s are refused',
  (member) => expectServiceFault(strict, `policies.${member}`, undefined),
)

test.each(['cancellation', 'rescheduling'])('[DEF-053] %s must say whether it is allowed', (member) => {
  expectServiceFault(strict, `policies.${member}.allowed`, undefined)
  expectServiceFault(strict, `policies.${member}.allowed`, 'yes')
  expectServiceFault(strict, `policies.${member}.allowed`, 1)
})

test.each(['min_advance', 'max_advance', 'slot_interval'])('[LIV-033] a booking window need not have %s', (member) => {
  expectAccepted(withMember(offering(strict), `services[svc_a].policies.booking_window.${member}`, undefined))
  expectServiceFault(strict, `policies.booking_window.${member}`, 'soon')
})

test('[LIV-033] policies need no booking window', () =>
  expectAccepted(withMember(offering(strict), 'services[svc_a].policies.booking_window', undefined)))

test.each<[window: object, isAccepted: boolean]>([
  [{ min_advance: 'P1830D' }, true],
  [{ min_advance: 'P1831D' }, false],
  [{ max_advance: 'PT0S' }, true],
])('the booking window %j is accepted: %s', (booking_window, isAccepted) => {
  const places = placesRefused(withMember(offering(strict), 'services[svc_a].policies.booking_window', booking_window))
  expect(places.length === 0).toBe(isAccepted)
})

test.each([0, 100])('[LIV-036] a late cancellation fee of %i percent is accepted', (percent) => {
  const cancellation = { allowed: true, late_cancellation_fee_percentage: percent }
  expectAccepted(offering(service('svc_a', { policies: { ...policies, cancellation } })))
})

test.each([-1, 101, 12.5, '50', null])('[LIV-036] a late cancellation fee of %j percent is refused', (wrong) => {
  const cancellation = { allowed: true, late_cancellation_fee_percentage: 10 }
  const percentual = service('svc_a', { policies: { ...policies, cancellation } })
  expectServiceFault(percentual, 'policies.cancellation.late_cancellation_fee_percentage', wrong)
})

test('[LIV-037] a late cancellation fee both as an amount and in percent is refused', () => {
  const both = { allowed: true, late_cancellation_fee: 2000, late_cancellation_fee_percentage: 10 }
  expectServiceFault(strict, 'policies.cancellation', both)
})

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
