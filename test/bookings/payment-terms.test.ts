import { describe, expect, test } from 'vitest'
import type { BookingRecord } from '../../src/domain/bookings/booking-row.ts'
import {
  actionableUntil,
  type Canceler,
  cancellationTerms,
  deadline,
  deadlineAfterApproval,
  noShowTerms,
  refuseMoving,
  reschedulingFee,
} from '../../src/domain/bookings/cancel-and-reschedule-rules.ts'
import { type Payment, statusOf, withReceipt, withRefund } from '../../src/domain/pricing/payment-amounts.ts'
import { BusinessRefusal } from '../../src/protocol/errors.ts'
import type { ServiceDefinition } from '../../src/protocol/types.generated.ts'
import { service } from '../support/definitions.ts'

const NOW = new Date('2026-11-20T12:00:00Z')
const HOUR = 3_600_000

const unpaid: Payment = {
  timing: 'at_booking',
  currency: 'USD',
  amount: 12000,
  tax: 0,
  due: 12000,
  items: [],
  received: [],
}
const whole = (payment: Payment) =>
  withReceipt(payment, {
    id: 'pay_1',
    amount: payment.due,
    returned: 0,
    received_at: NOW.toISOString(),
    transaction_id: 'txn_1',
    order_reference: 'ord_1',
  })
const paid = whole(unpaid)
const deposit = whole({ ...unpaid, timing: 'deposit_required', deposit: 3000, due: 3000 })

interface Case {
  payment?: Payment
  hours: number
  terms?: Partial<ServiceDefinition['policies']['cancellation']>
  refundable?: boolean
  status?: 'confirmed' | 'pending' | 'requires_action'
}

const late: Case['terms'] = { free_cancellation_until: 'PT24H', late_cancellation_fee: 2000 }

function terms({ payment = paid, hours, terms = late, refundable = true, status = 'confirmed' }: Case, by: Canceler) {
  const { policies } = service('svc')
  const record = {
    policies: { ...policies, cancellation: { allowed: true, ...terms } },
    deposit_refundable: refundable,
    payment,
  } as BookingRecord // The terms look at nothing else.
  return cancellationTerms({ status, starts_at: new Date(NOW.getTime() + hours * HOUR), record }, by, NOW)
}

describe('a buyer who cancels', () => {
  test.each<[string, Case, { fee: number; refund: number }]>([
    ['[PAY-060] in time gets everything back', { hours: 25 }, { fee: 0, refund: 12000 }],
    ['[PAY-060] at the last moment of the time, too', { hours: 24 }, { fee: 0, refund: 12000 }],
    ['[PAY-061] late gets all but the fee', { hours: 23 }, { fee: 2000, refund: 10000 }],
    [
      '[PAY-062] late, with a fee of all that was paid, gets nothing',
      { hours: 23, terms: { ...late, late_cancellation_fee: 12000 } },
      { fee: 12000, refund: 0 },
    ],
    [
      '[PAY-062] late, with a fee above what was paid, gets nothing and no less',
      { hours: 23, payment: deposit, terms: { ...late, late_cancellation_fee: 5000 } },
      { fee: 5000, refund: 0 },
    ],
    [
      '[LIV-036] late, with a fee in percent, gets the rest of the price',
      { hours: 23, terms: { free_cancellation_until: 'PT24H', late_cancellation_fee_percentage: 15 } },
      { fee: 1800, refund: 10200 },
    ],
    [
      '[LIV-036] late, with a deposit and a fee in percent, loses that share of the price',
      {
        hours: 23,
        payment: deposit,
        terms: { free_cancellation_until: 'PT24H', late_cancellation_fee_percentage: 15 },
      },
      { fee: 1800, refund: 1200 },
    ],
    ['[PAY-060] in time gets a deposit back', { hours: 25, payment: deposit }, { fee: 0, refund: 3000 }],
    [
      '[PAY-061] late gets a deposit back but for the fee',
      { hours: 23, payment: deposit },
      { fee: 2000, refund: 1000 },
    ],
    [
      '[PAY-064] in time does not get a deposit back that is not refundable',
      { hours: 25, payment: deposit, refundable: false },
      { fee: 0, refund: 0 },
    ],
    ['[PAY-064] late does not either', { hours: 23, payment: deposit, refundable: false }, { fee: 2000, refund: 0 }],
    ['[PAY-065] before anything was paid gets nothing back', { hours: 25, payment: unpaid }, { fee: 0, refund: 0 }],
    [
      '[PAY-065] before anything was paid owes nothing, however late',
      { hours: 1, payment: unpaid, status: 'requires_action' },
      { fee: 0, refund: 0 },
    ],
    [
      '[PAY-061] late, paid and not confirmed yet, gets all but the fee',
      { hours: 23, status: 'pending' },
      { fee: 2000, refund: 10000 },
    ],
    ['[PAY-060] where no term is set gets everything back', { hours: 0.1, terms: {} }, { fee: 0, refund: 12000 }],
    [
      '[PAY-061] gets back what has not gone back yet',
      { hours: 23, payment: withRefund(paid, 4000) },
      { fee: 2000, refund: 6000 },
    ],
  ])('%s', (_, booking, wanted) => {
    expect(terms(booking, 'buyer')).toEqual(wanted)
  })

  test.each<[string, Case]>([
    ['where the terms allow none', { hours: 100, terms: { allowed: false } }],
    ['when it is too late for any', { hours: 1, terms: { no_cancellation_after: 'PT2H' } }],
  ])('is refused %s', (_, booking) => {
    expect(() => terms(booking, 'buyer')).toThrow(BusinessRefusal)
  })
})

describe.each<Canceler>(['business', 'system'])(
  '[PAY-063] what the %s cancels costs nothing and goes back whole,',
  (by) => {
    test.each<[string, Case, number]>([
      ['late', { hours: 1 }, 12000],
      ['where the buyer may not', { hours: 1, terms: { allowed: false } }, 12000],
      ['after the last moment for buyers', { hours: 1, terms: { no_cancellation_after: 'PT2H' } }, 12000],
      ['also a deposit that is not refundable', { hours: 1, payment: deposit, refundable: false }, 3000],
      ['[PAY-065] unless nothing was paid', { hours: 1, payment: unpaid }, 0],
    ])('%s', (_, booking, refund) => {
      expect(terms(booking, by)).toEqual({ fee: 0, refund })
    })
  },
)

describe('[PAY-005] [PAY-067] a payment is called', () => {
  const half = { ...deposit, amount: 100, deposit: 50, due: 50, received: [] }
  test.each<[ReturnType<typeof statusOf>, string, Payment]>([
    ['pending', 'before it is made', unpaid],
    ['deposit_paid', '[payment status tells what is held] when more has become due', { ...paid, due: 500 }],
    ['deposit_paid', 'when more has become due beside a deposit', { ...deposit, due: 500 }],
    ['deposit_paid', 'when more has become due after some went back', { ...withRefund(paid, 500), due: 700 }],
    ['pending', 'when more has become due after all went back', { ...withRefund(paid, 12000), due: 700 }],
    ['pending', 'when it was never made and never will be', withRefund(unpaid, 0)],
    ['paid', 'once it is made', paid],
    ['paid', '[PAY-062] when nothing of it goes back', withRefund(paid, 0)],
    ['deposit_paid', 'once the deposit is paid', whole(half)],
    ['refunded', 'when all has gone back', withRefund(paid, 12000)],
    ['refunded', 'when all has gone back by and by', withRefund(withRefund(paid, 5000), 7000)],
    ['refunded', 'when all of a deposit has gone back', withRefund(deposit, 3000)],
    ['partially_refunded', 'when some has gone back', withRefund(paid, 1)],
    ['partially_refunded', 'when all but a bit has gone back', withRefund(paid, 11999)],
    ['not_required', 'on the spot', { ...unpaid, timing: 'at_service', due: 0 }],
    ['not_required', 'when there is nothing to pay', { ...unpaid, amount: 0, due: 0 }],
  ])('%s %s', (status, _, payment) => {
    expect(statusOf(payment)).toBe(status)
  })

  test('[PAY-068] and keeps where it came from when it goes back', () => {
    expect(withRefund(paid, 12000)).toMatchObject({
      received: [{ transaction_id: 'txn_1', order_reference: 'ord_1' }],
      due: 0,
    })
  })
})

const policies = service('svc').policies
const MINUTE = 60_000
const inMinutes = (instant: Date | null) => instant && (instant.getTime() - NOW.getTime()) / MINUTE
const recordOf = (more: Partial<BookingRecord>): BookingRecord =>
  ({ policies, tasks: [], payment_window: 15 * MINUTE, reschedules: 0, ...more }) as BookingRecord // As above.
const pay = { type: 'payment', status: 'pending' } as const
const sign = { type: 'waiver', status: 'pending' } as const
const DAY = 24 * 60

test.each<
  [what: string, status: 'pending' | 'requires_action' | 'confirmed', BookingRecord['tasks'], number, number | null]
>([
  ['that stands', 'confirmed', [], 60, null],
  ['that waits for the business', 'pending', [], 2 * DAY, DAY],
  ['that waits for the business, soon to begin', 'pending', [], 60, 60],
  ['that waits for the business and has begun', 'pending', [], -60, 0],
  ['to be paid', 'requires_action', [pay], 2 * DAY, 15],
  ['to be paid and signed, soon to begin', 'requires_action', [sign, pay], 5, 5],
  ['to be signed', 'requires_action', [sign], 2 * DAY, DAY],
  ['to be signed, soon to begin', 'requires_action', [sign], 60, 60],
  ['to be signed that was paid', 'requires_action', [sign, { ...pay, status: 'completed' }], 2 * DAY, DAY],
  ['to be paid that waits for the business', 'pending', [pay], 2 * DAY, DAY],
])('[BKG-122] a booking %s is given up after so many minutes', (_, status, tasks, starts, minutes) => {
  const starts_at = new Date(NOW.getTime() + starts * MINUTE)
  expect(inMinutes(deadline(status, { record: recordOf({ tasks }), starts_at }, NOW))).toBe(minutes)
})

test.each<[what: string, Partial<BookingRecord>, number, number]>([
  ['has a day to be paid', {}, 3 * DAY, DAY],
  ['has as long as was agreed on', { window_after_approval: 90 * MINUTE }, 3 * DAY, 90],
  ['is paid before it begins', {}, 60, 60],
  ['that has begun is paid at once', {}, -60, 0],
])('a booking that was approved %s', (_, more, starts, minutes) => {
  const starts_at = new Date(NOW.getTime() + starts * MINUTE)
  const record = recordOf({ tasks: [pay], ...more })
  expect(inMinutes(deadlineAfterApproval('requires_action', { record, starts_at }, NOW))).toBe(minutes)
  expect(deadlineAfterApproval('confirmed', { record, starts_at }, NOW)).toBeNull()
})

test.each<[what: string, moves: boolean, cancels: boolean, last: string | undefined, expires: number | null, number]>([
  ['it begins, where it may be moved', true, true, 'PT2H', null, 5 * 60],
  ['it cannot be canceled any more, where it may not', false, true, 'PT2H', null, 3 * 60],
  ['it begins, where it may be canceled to the last', false, true, undefined, null, 5 * 60],
  ['it begins, where it may not be canceled at all', false, false, 'PT2H', null, 5 * 60],
  ['it is given up, where that is later', true, true, undefined, 6 * 60, 6 * 60],
])('something can be done about a booking until %s', (_, moves, allowed, last, expires, minutes) => {
  const record = recordOf({
    policies: {
      ...policies,
      cancellation: { allowed, ...(last && { no_cancellation_after: last }) },
      rescheduling: { allowed: moves },
    },
  })
  const at = (after: number) => new Date(NOW.getTime() + after * MINUTE)
  const booking = { starts_at: at(5 * 60), expires_at: expires === null ? null : at(expires), record }
  expect(inMinutes(actionableUntil(booking))).toBe(minutes)
})

test.each<[what: string, BookingRecord['policies']['no_show'], Payment | undefined, { from: number; fee: number }]>([
  ['nothing, at once', undefined, paid, { from: 0, fee: 0 }],
  ['a fixed fee, after a while', { fee: 2500, grace_period: 'PT15M' }, paid, { from: 15, fee: 2500 }],
  ['the fixed fee rather than the share', { fee: 2500, fee_percentage: 50 }, paid, { from: 0, fee: 2500 }],
  ['a share of the price with its tax', { fee_percentage: 50 }, { ...paid, tax: 1000 }, { from: 0, fee: 6500 }],
  ['a share rounded', { fee_percentage: 33 }, { ...paid, amount: 101 }, { from: 0, fee: 33 }],
  ['a share of nothing', { fee_percentage: 50 }, undefined, { from: 0, fee: 0 }],
])('not coming costs %s', (_, no_show, payment, expected) => {
  const record = recordOf({
    policies: { ...policies, ...(no_show && { no_show }) },
    ...(payment && { payment }),
  })
  const { from, fee } = noShowTerms({ status: 'confirmed', starts_at: NOW, record })
  expect({ from: inMinutes(from), fee }).toEqual(expected)
})

test('moving costs a fee when it is late, so often as was agreed on, and nobody moves what has begun', () => {
  const move = { allowed: true, max_reschedules: 2, free_reschedule_until: 'PT24H', fee: 700 }
  const booking = (reschedules: number, minutes: number, rescheduling: typeof policies.rescheduling = move) => ({
    status: 'confirmed' as const,
    starts_at: new Date(NOW.getTime() + minutes * MINUTE),
    record: recordOf({ reschedules, policies: { ...policies, rescheduling } }),
  })
  expect([0, 1].map((times) => reschedulingFee(booking(times, DAY), NOW))).toEqual([0, 0])
  expect(reschedulingFee(booking(1, DAY - 1), NOW)).toBe(700)
  expect(reschedulingFee(booking(9, 1, { allowed: true }), NOW)).toBe(0)
  expect(() => reschedulingFee(booking(2, DAY), NOW)).toThrow(
    'This booking was already moved 2 times, which is the maximum.',
  )
  expect(() => refuseMoving(booking(0, 1), NOW)).not.toThrow()
  expect(() => refuseMoving(booking(0, 0), NOW)).toThrow('It is too late to move this booking.')
  expect(() => refuseMoving(booking(0, 1, { allowed: false }), NOW)).toThrow('do not allow moving it')
})
