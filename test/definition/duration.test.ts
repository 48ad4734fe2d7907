import { expect, test } from 'vitest'
import { readDefinition } from '../../src/domain/definition/read-definition.ts'
import { service } from '../support/definitions.ts'
import { expectAccepted, expectFault, expectServiceFault, type FaultCase, offering } from './reading.ts'

const buffers = { buffer_before: 'PT5M', buffer_after: 'PT10M' }
const range = { min: 'PT1H', max: 'PT8H', step: 'PT1H' }
const lasting = {
  fixed: service('svc_a', { duration: { fixed: 'PT60M' } }),
  range: service('svc_a', { duration: { range } }),
  undetermined: service('svc_a', { duration: { undetermined: true } }),
}

const fixedFaults: FaultCase[] = [
  ['[DEF-020] a duration that says nothing is refused', 'duration', {}],
  ['[DEF-020] a duration of buffers alone is refused', 'duration', buffers],
  ['[DEF-021] a duration both fixed and a range is refused', 'duration.range', range, 'duration'],
  ['[DEF-021] a duration both fixed and undetermined is refused', 'duration.undetermined', true, 'duration'],
  ['[DEF-026] a fixed duration of no minutes is refused', 'duration.fixed', 'PT0M'],
  ['[DEF-026] a fixed duration of no days is refused', 'duration.fixed', 'P0D'],
  ['[DEF-026] a negative fixed duration is refused', 'duration.fixed', '-PT60M'],
  ['[DEF-026] a fixed duration beyond all calendars is refused', 'duration.fixed', 'P999999Y'],
]
test.each(fixedFaults)('%s', (_, path, wrong, named) => expectServiceFault(lasting.fixed, path, wrong, named))

const rangeFaults: FaultCase[] = [
  ['[DEF-021] a range that is also undetermined is refused', 'duration.undetermined', true, 'duration'],
  ['[DEF-025] a range without min is refused', 'duration.range.min', undefined],
  ['[DEF-025] a range without max is refused', 'duration.range.max', undefined],
  ['[DEF-025] a range without step is refused', 'duration.range.step', undefined],
  ['[DEF-026] a range with min above max is refused', 'duration.range.min', 'PT481M', 'duration.range'],
  ['[DEF-026] a range in steps of nothing is refused', 'duration.range.step', 'PT0S'],
]
test.each(rangeFaults)('%s', (_, path, wrong, named) => expectServiceFault(lasting.range, path, wrong, named))

test.each([false, 'true', 1, null])('[DEF-023] undetermined: %j is refused', (wrong) =>
  expectServiceFault(lasting.undetermined, 'duration.undetermined', wrong),
)

test.each(['fixed', 'range', 'undetermined'] as const)('[DEF-022] a duration with %s alone is accepted', (kind) =>
  expectAccepted(offering(lasting[kind])),
)

test.each(['fixed', 'range', 'undetermined'] as const)('[DEF-027] buffers go with a %s duration', (kind) =>
  expectAccepted(offering(service('svc_a', { duration: { ...lasting[kind].duration, ...buffers } }))),
)

test('[DEF-026] a range of one length, told in other words, is accepted', () =>
  expectAccepted(offering(service('svc_a', { duration: { range: { min: 'P1D', max: 'PT24H', step: 'PT1H' } } }))))

test('[DEF-028] an hourly price for an undetermined duration is refused', () =>
  expectServiceFault(lasting.undetermined, 'pricing.model', 'hourly'))

test.each(['fixed', 'per_person', 'variable'] as const)(
  '[DEF-028] the price model %s goes with an undetermined duration',
  (model) =>
    expectAccepted(
      offering(
        service('svc_a', { duration: { undetermined: true }, pricing: { model, amount: 100, currency: 'USD' } }),
      ),
    ),
)

test('[DEF-028] a free service may last undetermined', () => {
  const { payment_timing: _, ...policies } = lasting.undetermined.policies
  const free = { model: 'free' as const, currency: 'USD' }
  expectAccepted(
    offering({ ...lasting.undetermined, pricing: free, policies: { ...policies, requires_payment: false } }),
  )
})

const everyDuration = service('svc_a', {
  duration: { range, ...buffers },
  scheduled_duration: 'PT2H',
  travel_time: 'PT20M',
  payment_window: 'PT30M',
  waitlist: { offer_window: 'PT30M' },
  policies: {
    ...service('svc_a').policies,
    cancellation: { allowed: true, free_cancellation_until: 'PT24H', no_cancellation_after: 'PT1H' },
    rescheduling: { allowed: true, free_reschedule_until: 'PT12H' },
    no_show: { fee: 100, grace_period: 'PT15M' },
  },
})
const places = [
  'duration.range.min',
  'duration.range.max',
  'duration.range.step',
  'duration.buffer_before',
  'duration.buffer_after',
  'scheduled_duration',
  'travel_time',
  'payment_window',
  'waitlist.offer_window',
  'policies.cancellation.free_cancellation_until',
  'policies.cancellation.no_cancellation_after',
  'policies.rescheduling.free_reschedule_until',
  'policies.no_show.grace_period',
  'policies.booking_window.min_advance',
  'policies.booking_window.max_advance',
  'policies.booking_window.slot_interval',
]
const notDurations = ['60m', '1h', '', 'P', 'PT', 'PT1H30', '01:00', 'pt1h', 60]
test.each(notDurations)('[DEF-024] %j is not a duration: duration.fixed refuses it', (wrong) =>
  expectServiceFault(lasting.fixed, 'duration.fixed', wrong),
)
test.each(places.flatMap((path) => notDurations.map((wrong) => [path, wrong] as const)))(
  '[DEF-024] %s must be an ISO 8601 duration, which %j is not',
  (path, wrong) => expectServiceFault(everyDuration, path, wrong),
)

test.each(['window', 'window_after_approval'])('a payments.%s beyond all calendars is refused', (name) => {
  const definition = { ...offering(everyDuration), payments: { window: 'PT15M', window_after_approval: 'PT24H' } }
  expectFault(definition, `payments.${name}`, 'P999999Y')
})

const { resources } = offering()
const byPerson = service('svc_a', {
  resources: [{ type: 'staff', selectable: true, options: ['res_ana', 'res_bo'] }, { type: 'room' }],
  duration_rules: [{ name: 'Learning', resources: ['res_bo'], fixed: 'PT90M' }],
})
const ruleFaults: FaultCase[] = [
  ['how long it takes with somebody is longer than nothing', 'duration_rules[0].fixed', 'PT0S'],
  ['how long it takes with somebody ends', 'duration_rules[0].fixed', 'P999999Y'],
  ['how long it takes is said of somebody', 'duration_rules[0].resources', []],
  ['a rule names who is there', 'duration_rules[0].resources[0]', 'res_eva', 'duration_rules[0].resources'],
  ['a rule names who does it', 'resources[0].options', ['res_ana'], 'duration_rules[0].resources'],
  ['one kind alone says how long it takes', 'duration_rules[0].resources', ['res_bo', 'res_room'], 'duration_rules'],
  ['who says how long it takes is needed for that alone', 'resources[1]', { type: 'staff' }, 'duration_rules'],
  ['buyers do not choose how long it takes beside rules', 'duration', { range }, 'duration_rules'],
]
test.each(ruleFaults)('%s', (_, path, wrong, named) => expectServiceFault(byPerson, path, wrong, named))

test('a class takes as long as it takes, with whomever', () => {
  const yoga = service('svc_a', {
    type: 'group',
    capacity: { max: 3 },
    sessions: [{ days: ['monday'], starts: '10:00' }],
  })
  expectServiceFault(yoga, 'duration_rules', byPerson.duration_rules)
})

test('[nonsense] a service that fits with the slower ones alone is not warned of', () => {
  const [ana, ...others] = resources ?? []
  const off = { days: ['monday' as const], opens: '09:00', closes: '09:30' }
  const definition = { ...offering(byPerson), resources: [...(ana ? [{ ...ana, hours: [off] }] : []), ...others] }
  expect(readDefinition(JSON.stringify(definition), 'business.json').warnings).toEqual([])
})
