import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AvailableTime } from '../../src/domain/availability/available-times.ts'
import { type Plan, planOf } from '../../src/domain/availability/service-scheduling-plan.ts'
import { movedPayment, paymentFor } from '../../src/domain/pricing/booking-price.ts'
import {
  isDeposit,
  leftForVisit,
  type Payment,
  type Receipt,
  statusOf,
  taxOfDue,
  totalOf,
  withReceipt,
  withRefund,
} from '../../src/domain/pricing/payment-amounts.ts'
import { rounded } from '../../src/infra/util/round-money.ts'
import type { BusinessDefinition, ServiceDefinition } from '../../src/protocol/types.generated.ts'
import { businessWith, service } from '../support/definitions.ts'

type Pricing = ServiceDefinition['pricing']
type Timing = NonNullable<ServiceDefinition['policies']['payment_timing']>

const NOON = Date.parse('2026-11-24T17:00:00Z')
const slotOf = (minutes: number): AvailableTime => ({
  start: NOON,
  end: NOON + minutes * 60_000,
  location: undefined,
  picks: [],
})

function planFor(
  pricing: Partial<Pricing>,
  timing: Timing = 'at_booking',
  more: Partial<ServiceDefinition> = {},
  tax?: NonNullable<BusinessDefinition['payments']>['tax'],
): Plan {
  const usual = service('svc')
  const priced = service('svc', {
    policies: { ...usual.policies, payment_timing: timing },
    pricing: { ...usual.pricing, ...pricing },
    ...more,
  })
  const plan = planOf(businessWith([priced], tax ? { payments: { tax } } : {}), 'svc')
  if (!plan) throw new Error('The service is gone')
  return plan
}

describe('[PAY-015] sums are whole numbers:', () => {
  test.each<[string, Partial<Pricing>, number, number, number]>([
    ['[PAY-007] a fixed price', { model: 'fixed', amount: 7500 }, 60, 1, 7500],
    ['[PAY-007] a fixed price for three', { model: 'fixed', amount: 7500 }, 60, 3, 7500],
    ['[PAY-011] ninety minutes by the hour', { model: 'hourly', amount: 7500 }, 90, 1, 11250],
    ['[PAY-011] an hour by the hour, for four', { model: 'hourly', amount: 1200 }, 60, 4, 1200],
    ['[PAY-011] ten minutes by the hour, rounded', { model: 'hourly', amount: 1000 }, 10, 1, 167],
    ['[PAY-011] half a minor unit, which goes up', { model: 'hourly', amount: 9 }, 30, 1, 5],
    ['[PAY-012] a price per person', { model: 'per_person', amount: 2200 }, 60, 3, 6600],
    ['[PAY-012] a price per person for one', { model: 'per_person', amount: 2200 }, 60, 1, 2200],
    ['[PAY-007] a variable price', { model: 'variable', amount: 14000 }, 60, 1, 14000],
  ])('%s', (_, pricing, minutes, party, amount) => {
    const payment = paymentFor({ plan: planFor(pricing), time: slotOf(minutes) }, party)
    expect(payment).toMatchObject({ timing: 'at_booking', currency: 'USD', amount, tax: 0, due: amount, received: [] })
  })

  test.each<[string, Partial<Pricing>, number]>([
    ['fixed', { model: 'fixed', amount: 7500 }, 9000],
    ['by the hour', { model: 'hourly', amount: 7500 }, 13500],
    ['per person', { model: 'per_person', amount: 7500 }, 18000],
  ])('[PAY-013] what the slot costs takes the place of the usual amount, %s', (_, pricing, amount) => {
    const plan = planFor(pricing, 'at_booking', {
      price_rules: [{ name: 'Noon', from: '11:00', to: '13:00', amount: 9000 }],
    })
    expect(paymentFor({ plan, time: slotOf(90) }, 2)?.amount).toBe(amount)
    const later = { ...slotOf(90), start: NOON + 7_200_000, end: NOON + 12_600_000 }
    expect(paymentFor({ plan, time: later }, 2)?.amount).toBe((amount / 9000) * 7500)
  })

  test.each<[string, Pricing['deposit'], Partial<Pricing>, number, number]>([
    ['[PAY-008] [PAY-009] 33 percent of 9999', percent(33), { amount: 9999 }, 3300, 9999],
    ['[PAY-009] half a minor unit, which goes up', percent(50), { amount: 4999 }, 2500, 4999],
    ['[PAY-009] a quarter of ninety minutes', percent(25), { model: 'hourly', amount: 7500 }, 2813, 11250],
    ['[PAY-009] all of it', percent(100), { amount: 9999 }, 9999, 9999],
    ['[PAY-010] a fixed one of a fixed price', fixed(2500), { amount: 9999 }, 2500, 9999],
    ['[PAY-010] a fixed one by the hour', fixed(2500), { model: 'hourly', amount: 7500 }, 2500, 11250],
    ['[PAY-010] a fixed one per person', fixed(2500), { model: 'per_person', amount: 5000 }, 2500, 10000],
  ])('a deposit: %s', (_, deposit, pricing, due, amount) => {
    const payment = paymentFor(
      { plan: planFor({ ...pricing, ...(deposit && { deposit }) }, 'deposit_required'), time: slotOf(90) },
      2,
    )
    expect(payment).toMatchObject({ timing: 'deposit_required', due, deposit: due, amount })
  })
})

describe('[PAY-010] a fixed deposit that is not below the price is the whole price', () => {
  const onTop = { percent: 10, included: false }
  test.each([
    ['above the price', 5000, 2000, undefined, 2000],
    ['above the price with the tax on top', 5000, 2000, onTop, 2200],
    ['above the price alone, and below the sum with the tax', 2100, 2000, onTop, 2100],
    ['above the price that contains its tax', 5000, 2000, { percent: 25, included: true }, 2000],
    ['equal to the price', 2000, 2000, undefined, 2000],
    ['above a price of nothing', 5000, 0, undefined, 0],
  ])('%s', (_, value, amount, tax, due) => {
    const price_rules = [{ amount }]
    const plan = planFor({ amount: 9999, deposit: fixed(value) }, 'deposit_required', { price_rules }, tax)
    const payment = paymentFor({ plan, time: slotOf(60) }, 1)
    if (!payment) throw new Error('There is no payment')
    expect(payment).toMatchObject({ timing: 'deposit_required', due, deposit: due })
    const isWhole = due === totalOf(payment)
    expect(isWhole).toBe(due !== 2100)
    expect([isDeposit(payment), leftForVisit(payment)]).toEqual([!isWhole, totalOf(payment) - due])
    const label = isWhole ? 'Service svc (60 min)' : 'Deposit for Service svc'
    expect(payment.items.map((one) => one.label)).toEqual([label])
    expect(taxOfDue(payment)).toBe(isWhole ? payment.tax : 0)
    const paid = withReceipt(payment, receiptOf(due))
    if (due > 0) expect(statusOf(paid)).toBe(isWhole ? 'paid' : 'deposit_paid')
  })

  test('and the buyer owes the rest of the deposit after a move to a slot with a higher price', () => {
    const price_rules = [{ from: '11:00', to: '13:00', amount: 2000 }]
    const plan = planFor({ amount: 9000, deposit: fixed(5000) }, 'deposit_required', { price_rules })
    const [cheap, dear] = [0, 7_200_000].map((later) => {
      const { start, end, ...slot } = slotOf(60)
      return paymentFor({ plan, time: { ...slot, start: start + later, end: end + later } }, 1)
    })
    if (!cheap) throw new Error('There is no payment')
    const { payment, refund } = movedPayment(withReceipt(cheap, receiptOf(2000)), dear, 0)
    expect([payment?.due, payment && leftForVisit(payment), refund]).toEqual([3000, 4000, 0])
    expect(payment && statusOf(payment)).toBe('deposit_paid')
  })
})

describe('[PAY-014] taxes', () => {
  test.each([
    ['come on top', { percent: 8.875, included: false }, 11000, 976, 11976],
    ['are taken out of a price that contains them', { percent: 20, included: true }, 9167, 1833, 11000],
    ['are rounded half up', { percent: 0.5, included: false }, 11000, 55, 11055],
    ['may be none', { percent: 0, included: false }, 11000, 0, 11000],
  ])('%s, and belong to what is due', (_, tax, amount, sum, due) => {
    const plan = planFor({ model: 'fixed', amount: 11000 }, 'at_booking', {}, tax)
    expect(paymentFor({ plan, time: slotOf(60) }, 1)).toMatchObject({ amount, tax: sum, due })
  })

  test('with an included tax the buyer pays the price that is shown, whatever it is', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000_000 }), fc.integer({ min: 0, max: 40_000 }), (price, permille) => {
        const tax = { percent: permille / 1000, included: true }
        const payment = paymentFor(
          { plan: planFor({ model: 'fixed', amount: price }, 'at_booking', {}, tax), time: slotOf(60) },
          1,
        )
        expect((payment?.amount ?? 0) + (payment?.tax ?? 0)).toBe(price)
      }),
    )
  })
})

test.each([
  ['contains its tax', { percent: 19, included: true }, 3000],
  ['has its tax on top', { percent: 19, included: false }, 3000],
])('[PAY-009] a deposit is a share of the price as it is stated, where it %s', (_, tax, deposit) => {
  const plan = planFor({ model: 'fixed', amount: 12000, deposit: percent(25) }, 'deposit_required', {}, tax)
  expect(paymentFor({ plan, time: slotOf(60) }, 1)).toMatchObject({ deposit, due: deposit })
})

test('[PAY-009] [PAY-015] percentages are rounded half up, as on paper', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100_000_000 }), fc.integer({ min: 0, max: 100_000 }), (sum, permille) => {
      const onPaper = (BigInt(sum) * BigInt(permille) + 50_000n) / 100_000n
      expect(rounded((sum * permille) / 1000 / 100)).toBe(Number(onPaper))
    }),
    {
      examples: [
        [119_375, 16_400],
        [185_000, 2_510],
        [9_999, 33_000],
        [4_999, 50_000],
      ],
      numRuns: 2_000,
    },
  )
})

test.each<[Timing, Pricing['deposit'], number]>([
  ['at_booking', undefined, 0],
  ['deposit_required', percent(25), 0],
])('what costs nothing in its slot leaves nothing due, %s', (timing, deposit, due) => {
  const price_rules = [{ name: 'On us', amount: 0 }]
  const plan = planFor({ ...(deposit && { deposit }) }, timing, { price_rules })
  expect(paymentFor({ plan, time: slotOf(60) }, 1)).toMatchObject({ due, amount: 0 })
})

describe('a booking that moves', () => {
  const paid: Payment = {
    timing: 'at_booking',
    currency: 'USD',
    amount: 10000,
    tax: 0,
    due: 0,
    items: [],
    received: [receiptOf(10000)],
  }
  const priced = (amount: number): Payment => {
    return { ...paid, amount, due: amount, received: [], items: [{ label: 'It', amount, quantity: 1 }] }
  }

  test.each([
    ['[PAY-071] a dearer slot', 13000, 0, 3000, 0, ['Price difference']],
    ['[PAY-073] a cheaper slot', 8000, 0, 0, 2000, []],
    ['a slot at the same price', 10000, 0, 0, 0, []],
    ['[PAY-072] the same price and a fee', 10000, 1500, 1500, 0, ['Rescheduling fee']],
    ['[PAY-072] a dearer slot and a fee', 13000, 1500, 4500, 0, ['Price difference', 'Rescheduling fee']],
    ['[PAY-073] a cheaper slot, the difference above the fee', 8000, 1500, 0, 500, []],
    ['[PAY-072] a cheaper slot, the difference below the fee', 9000, 1500, 500, 0, ['Rescheduling fee']],
    ['a cheaper slot, the difference being the fee', 8500, 1500, 0, 0, []],
    ['a slot that is dearer by the least there is', 10001, 0, 1, 0, ['Price difference']],
  ])('[PAY-070] to %s', (_, price, fee, due, refund, labels) => {
    const moved = movedPayment(paid, priced(price), fee)
    expect(moved.refund).toBe(refund)
    expect(moved.payment).toMatchObject({ amount: price, due, received: paid.received })
    const items = moved.payment?.items ?? []
    expect(items.map(({ label }) => label)).toEqual(labels)
    expect(items.reduce((sum, { amount }) => sum + amount, 0)).toBe(due)
  })

  test('[PAY-072] before anything was paid, the fee is asked for along with the new price', () => {
    const { payment, refund } = movedPayment(priced(10000), priced(13000), 1500)
    expect(refund).toBe(0)
    expect(payment).toMatchObject({ amount: 13000, due: 14500, received: [] })
    expect(payment?.items.map(({ amount }) => amount)).toEqual([13000, 1500])
  })

  test('[PAY-070] again after a refund, against what is left of the money', () => {
    const cheaper = movedPayment(paid, priced(8000), 0).payment
    if (!cheaper) throw new Error('The payment is gone')
    const { payment, refund } = movedPayment(withRefund(cheaper, 2000), priced(9000), 0)
    expect([payment?.due, refund]).toEqual([1000, 0])
  })

  test('[PAY-072] again after a fee, which is no part of the price', () => {
    const late = movedPayment(paid, priced(10000), 1500).payment
    if (!late) throw new Error('The payment is gone')
    const settled = withReceipt(late, receiptOf(1500))
    expect(movedPayment(settled, priced(10000), 1500).payment?.due).toBe(1500)
    expect(movedPayment(settled, priced(10000), 0)).toMatchObject({ payment: { due: 0 }, refund: 0 })
    const unpaid = movedPayment(movedPayment(priced(10000), priced(10000), 1500).payment, priced(13000), 1500)
    expect(unpaid.payment?.items.map(({ amount }) => amount)).toEqual([13000, 3000])
  })

  test('[PAY-070] what the business gave back of its own accord is not asked for again', () => {
    const generous = withRefund(paid, 4000)
    expect(movedPayment(generous, priced(10000), 0)).toMatchObject({
      payment: { due: 0, last_refund: 4000 },
      refund: 0,
    })
    expect(movedPayment(generous, priced(2000), 0)).toMatchObject({ payment: { due: 0 }, refund: 6000 })
  })

  test.each([
    ['when to pay', { timing: 'deposit_required' }],
    ['the currency', { currency: 'EUR' }],
  ] as const)('[PAY-070] nothing is asked for or given back where the service has changed %s since', (_, since) => {
    for (const amount of [8000, 13000])
      expect(movedPayment(paid, { ...priced(amount), ...since }, 1500)).toEqual({ payment: paid, refund: 0 })
  })

  test('[PAY-070] what is paid on the spot is told anew, and nothing becomes due', () => {
    const onTheSpot = (amount: number): Payment => ({ ...priced(amount), timing: 'at_service', due: 0, items: [] })
    const { payment, refund } = movedPayment(onTheSpot(10000), onTheSpot(13000), 1500)
    expect([payment?.amount, payment?.due, refund]).toEqual([13000, 0, 0])
  })
})

const receiptOf = (amount: number): Receipt => ({
  id: `pay_${amount}`,
  amount,
  returned: 0,
  received_at: '2026-11-20T12:00:00.000Z',
  transaction_id: 'txn_1',
})

function percent(value: number): NonNullable<Pricing['deposit']> {
  return { type: 'percentage', value, refundable: true }
}
function fixed(value: number): NonNullable<Pricing['deposit']> {
  return { type: 'fixed', value, refundable: true }
}
