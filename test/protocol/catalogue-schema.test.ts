import { expect, test } from 'vitest'
import { shape } from '../../src/protocol/json-schemas.ts'
import { compile } from '../../src/protocol/schema-validator.ts'
import { withMember } from '../definition/reading.ts'
import { fed } from '../registry/services.ts'

const isValid = compile(shape('Service'))
const { payment_timing: _, ...unpaid } = { ...fed('svc').policies, requires_payment: false }
const paid = fed('svc')
const free = fed('svc', { pricing: { model: 'free', currency: 'USD' }, policies: unpaid })
const choosing = fed('svc', { resources: [{ type: 'staff', selectable: true, options: [{ id: 'ann' }] }] })
const hinted = fed('svc', {
  availability_hint: {
    summary: 'Free.',
    generated_at: '2026-11-20T07:00:00-05:00',
    next_available_date: '2026-11-23',
    slot_bitmaps: [
      {
        duration: 'PT60M',
        starts_at: '2026-11-23T09:00:00-05:00',
        start_interval: 'PT30M',
        slot_count: 17,
        encoding: 'roaring32-portable-base64',
        bitmap: 'OjAAAAEAAAAAAAcAEAAAAAAAAQACAAYACgAOAA8AEAA=',
      },
    ],
  },
})

test.each<[rule: string, service: object, path: string, wrong: unknown]>([
  ['[LIV-045] a class has a capacity', paid, 'type', 'group'],
  ['[LIV-045] a reservation has a capacity', paid, 'type', 'reservation'],
  ['[LIV-045] a service without payment is free', free, 'pricing', { model: 'fixed', amount: 100, currency: 'USD' }],
  ['[LIV-045] a service with payment is not free', paid, 'pricing', { model: 'free', currency: 'USD' }],
  ['[LIV-045] a deposit is stated where it is required', paid, 'policies.payment_timing', 'deposit_required'],
  ['[LIV-045] a duration is of one kind', paid, 'duration.undetermined', true],
  ['[LIV-045] a duration is given', paid, 'duration', {}],
  ['[LIV-045] a free service has no amount', free, 'pricing.amount', 0],
  ['[LIV-045] a price is above zero', paid, 'pricing.amount', 0],
  ['[LIV-045] a price is given', paid, 'pricing.amount', undefined],
  ['[LIV-045] a free service has no time of payment', free, 'policies.payment_timing', 'at_service'],
  ['[LIV-045] a paid service has a time of payment', paid, 'policies.payment_timing', undefined],
  ['[LIV-045] a resource to choose has options', choosing, 'resources[0].options', undefined],
  ['[LIV-036] a fee in percent is at most 100', paid, 'policies.cancellation.late_cancellation_fee_percentage', 101],
  ['[LIV-036] a fee in percent is no text', paid, 'policies.cancellation.late_cancellation_fee_percentage', '5'],
  ['[LIV-040] no list of rulers is empty', hinted, 'availability_hint.slot_bitmaps', []],
  ['[LIV-040] no day is an empty text', hinted, 'availability_hint.next_available_date', ''],
  ['[LIV-041] a ruler has starts', hinted, 'availability_hint.slot_bitmaps[0].slot_count', 0],
  ['[LIV-041] a ruler has at most 2^32 starts', hinted, 'availability_hint.slot_bitmaps[0].slot_count', 4294967297],
  ['[LIV-041] a ruler has one encoding', hinted, 'availability_hint.slot_bitmaps[0].encoding', 'base64'],
  ['[LIV-041] a ruler has a duration', hinted, 'availability_hint.slot_bitmaps[0].duration', undefined],
  ['[LIV-043] the end of validity is an instant', hinted, 'availability_hint.valid_until', '2026-11-21'],
])('%s', (_, service, path, wrong) => {
  expect(isValid(service)).toBe(true)
  expect(isValid(withMember(service, path, wrong))).toBe(false)
})

test('[LIV-045] an hourly price needs a known duration', () => {
  const hourly = { ...paid, pricing: { model: 'hourly', amount: 100, currency: 'USD' } }
  expect(isValid(hourly)).toBe(true)
  expect(isValid({ ...hourly, duration: { undetermined: true } })).toBe(false)
})

test.each([undefined, {}, { min_advance: 'PT2H' }, { max_advance: 'P60D' }, { slot_interval: 'PT30M' }])(
  '[LIV-033] a service may state of its booking window: %j',
  (window) => expect(isValid(withMember(paid, 'policies.booking_window', window))).toBe(true),
)
