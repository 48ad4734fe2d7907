import type { Offer } from '../availability/offers.ts'
import type { Plan } from '../availability/plan.ts'
import { slotAmount } from '../availability/slot-price.ts'
import { rounded } from '../money.ts'
import { collectedOf, netOf } from './payment.ts'
import type { LineItem, Payment } from './record.ts'

/**
 * What a booking of this slot costs and when; nothing where the service costs nothing, nor among the businesses of UCP,
 * whose bookings say nothing of money.
 */
export function paymentFor(plan: Plan, offer: Offer, party: number): Payment | undefined {
  const { policies, pricing } = plan.service
  const timing = policies.payment_timing
  if (!policies.requires_payment || !timing || plan.business.deployment_mode === 'ucp_native') return undefined
  const common = { timing, currency: pricing.currency, received: [] }
  const { amount, tax } = taxed(plan, price(plan, offer, party))
  if (timing === 'at_service') return { ...common, amount, tax, due: 0, items: [] }
  if (timing === 'at_booking')
    return { ...common, amount, tax, due: amount + tax, items: [priceItem(plan, offer, party, amount)] }
  const deposit = depositOf(plan, amount)
  return { ...common, amount, tax, deposit, due: deposit, items: [item(`Deposit for ${plan.service.name}`, deposit)] }
}

function price(plan: Plan, offer: Offer, party: number): number {
  const unit = slotAmount(plan, offer)
  switch (plan.service.pricing.model) {
    case 'free':
      return 0
    case 'hourly':
      return rounded((unit * (offer.end - offer.start)) / 3_600_000)
    case 'per_person':
      return unit * party
    default:
      return unit
  }
}

/** The price before tax, and the tax: on top, or taken out of a price that contains it. */
function taxed({ business }: Plan, gross: number): { amount: number; tax: number } {
  const { percent = 0, included = false } = business.payments?.tax ?? {}
  if (!included) return { amount: gross, tax: rounded((gross * percent) / 100) }
  const amount = rounded((gross * 100) / (100 + percent))
  return { amount, tax: gross - amount }
}

function depositOf({ service }: Plan, amount: number): number {
  const { type, value = 0 } = service.pricing.deposit ?? {}
  return type === 'percentage' ? rounded((amount * value) / 100) : Math.round(value)
}

const item = (label: string, amount: number): LineItem => ({ label, amount, quantity: 1 })

function priceItem({ service }: Plan, offer: Offer, party: number, amount: number): LineItem {
  const perPerson = service.pricing.model === 'per_person' && amount % party === 0
  const minutes = Math.round((offer.end - offer.start) / 60_000)
  const label = `${service.name} (${minutes} min)`
  return perPerson ? { label, amount: amount / party, quantity: party } : item(label, amount)
}

/**
 * The payment of a booking that moves to another slot: what is missing becomes due, what is too much goes back. It is
 * the prices that are compared, not what was paid: fees that were charged and refunds that were granted stay so. When
 * to pay stays as it was agreed on, whatever the service asks of others by now.
 */
export function movedPayment(
  before: Payment | undefined,
  after: Payment | undefined,
  fee: number,
): { payment: Payment | undefined; refund: number } {
  const asAgreed = before?.timing === after?.timing && before?.currency === after?.currency
  if (!before || !after || !asAgreed) return { payment: before, refund: 0 }
  if (before.timing === 'at_service') return { payment: after, refund: 0 }
  const { received, last_refund } = before
  const kept = { ...after, received, ...(last_refund !== undefined && { last_refund }) }
  const isUnpaid = collectedOf(before) === 0
  const difference = before.due + askedFor(after) - askedFor(before)
  const due = difference + fee
  if (due <= 0) return { payment: { ...kept, due: 0, items: [] }, refund: Math.min(Math.abs(due), netOf(before)) }
  // Where nothing was paid yet the new price takes the place of the old.
  const prices = isUnpaid ? after.items : [item('Price difference', difference)]
  const fees = item('Rescheduling fee', isUnpaid ? due - askedFor(after) : Math.min(fee, due))
  return { payment: { ...kept, due, items: [...prices, fees].filter(({ amount }) => amount > 0) }, refund: 0 }
}

/** What is collected of the price before the booking stands. */
const askedFor = ({ deposit, amount, tax }: Payment) => deposit ?? amount + tax
