import { HOUR, MINUTE } from '../../infra/time/time-units.ts'
import { dateIn } from '../../infra/time/time-zone.ts'
import { rounded } from '../../infra/util/round-money.ts'
import { collectedOf, keptAmountOf, type LineItem, leftForVisit, type Payment, totalOf } from './payment-amounts.ts'
import {
  checkoutTerms,
  hasSlotPrices,
  minAmount,
  type PricedPlan,
  type PricedTime,
  type PriceTerms,
  priceTerms,
} from './slot-price.ts'

/** The English labels of price items in answers to platforms. The booking pages translate the labels for the reader. */
export const depositLabel = (service: string) => `Deposit for ${service}`
export const PRICE_DIFFERENCE = 'Price difference'
export const MOVING_FEE = 'Rescheduling fee'

interface Priced {
  plan: PricedPlan
  time: PricedTime & Length
}

/** The start and the end of a booking, in milliseconds since 1970. */
interface Length {
  start: number
  end: number
}

/**
 * Returns the payment that a slot requires, or undefined if it requires none. If the caller holds the slot, the price
 * at the start of the hold applies, unless the current price is the same or lower.
 */
export function paymentFor({ plan, time }: Priced, party: number, held?: PriceTerms | null) {
  return cheaper(priceTerms(plan, time), held, { plan, time, party })
}

/**
 * Returns the payment that a slot requires in a purchase through the Universal Commerce Protocol (UCP). The rule that
 * says when to pay is always the current rule, because a hold does not always store such a rule.
 */
export function checkoutPayment({ plan, time }: Priced, party: number, held?: PriceTerms | null) {
  const terms = checkoutTerms(plan, time)
  return cheaper(terms, held && { ...held, timing: terms.timing }, { plan, time, party })
}

function cheaper(
  current: PriceTerms,
  held: PriceTerms | null | undefined,
  { plan, time, party }: Priced & { party: number },
): Payment | undefined {
  const now = paymentBy(current, plan, time, party)
  if (!held) return now
  const before = paymentBy(held, plan, time, party)
  return costsNoMore(now, before) ? now : before
}

/**
 * The lowest possible payment for a new booking. The server shows this payment until the buyer chooses a time.
 * `isForAll` is true if all times cost the same.
 */
export function leastPayment(
  plan: PricedPlan,
  party: number,
  now: Date,
): { payment: Payment | undefined; isForAll: boolean } {
  const [shortest = 0, ...longer] = plan.durations
  const time = { start: 0, end: shortest, picks: [] }
  const terms = { ...priceTerms(plan, time), unit: minAmount(plan, dateIn(plan.zone, now.getTime())) }
  const isByLength = terms.model === 'hourly' && longer.length > 0
  return { payment: paymentBy(terms, plan, time, party), isForAll: !isByLength && !hasSlotPrices(plan) }
}

/**
 * Whether the deposit is refundable. If the caller holds the slot, the rule from the start of the hold applies.
 * Otherwise, the current rule applies.
 */
export const isDepositRefundable = ({ pricing }: PricedPlan['service'], held?: PriceTerms | null): boolean =>
  (held ?? pricing).deposit?.refundable ?? true

/**
 * Whether the first payment is not higher than the second payment. The function compares the total price, and the
 * amount that is due before the booking is confirmed.
 */
function costsNoMore(one: Payment | undefined, other: Payment | undefined): boolean {
  if (!one || !other) return !one
  const isAlike = one.timing === other.timing && one.currency === other.currency
  return isAlike && totalOf(one) <= totalOf(other) && one.due <= other.due
}

function paymentBy(terms: PriceTerms, plan: PricedPlan, time: Length, party: number): Payment | undefined {
  const { timing, currency } = terms
  if (!timing) return undefined
  const common = { timing, currency, received: [] }
  const listed = listedPrice(terms, time, party)
  const { amount, tax } = taxed(terms, listed)
  const total = amount + tax
  const priceItems = [priceItem(terms, plan, { time, party, amount })]
  if (timing === 'at_service') return { ...common, amount, tax, due: 0, items: [] }
  if (timing === 'at_booking') return { ...common, amount, tax, due: total, items: priceItems }
  // A fixed deposit can exceed the price of a cheap slot. The buyer then pays the whole price in advance.
  const deposit = Math.min(depositOf(terms, listed), total)
  const items = deposit < total ? [item(depositLabel(plan.service.name), deposit)] : priceItems
  return { ...common, amount, tax, deposit, due: deposit, items }
}

/** The price before the server adds a tax that is not included, in minor units. */
export function listedPrice({ model, unit }: Pick<PriceTerms, 'model' | 'unit'>, time: Length, party: number): number {
  switch (model) {
    case 'free':
      return 0
    case 'hourly':
      return rounded((unit * (time.end - time.start)) / HOUR)
    case 'per_person':
      return unit * party
    default:
      return unit
  }
}

/**
 * Splits a listed price into the price before tax, and the tax. If the listed price does not include the tax, the
 * function adds the tax.
 */
export function taxed(
  { tax: { percent, included } }: Pick<PriceTerms, 'tax'>,
  listed: number,
): { amount: number; tax: number } {
  if (!included) return { amount: listed, tax: rounded((listed * percent) / 100) }
  const amount = rounded((listed * 100) / (100 + percent))
  return { amount, tax: listed - amount }
}

/**
 * The deposit in minor units, such as cents. If the deposit is a percentage, the function computes it from the listed
 * price, including any tax in this price. A fixed deposit may be higher than the price.
 */
export function depositOf({ deposit }: Pick<PriceTerms, 'deposit'>, listed: number): number {
  const { type, value = 0 } = deposit ?? {}
  return type === 'percentage' ? rounded((listed * value) / 100) : Math.round(value)
}

const item = (label: string, amount: number): LineItem => ({ label, amount, quantity: 1 })

function priceItem(
  { model }: PriceTerms,
  { service }: PricedPlan,
  { time, party, amount }: { time: Length; party: number; amount: number },
): LineItem {
  const perPerson = model === 'per_person' && amount % party === 0
  const minutes = Math.round((time.end - time.start) / MINUTE)
  const label = `${service.name} (${minutes} min)`
  return perPerson ? { label, amount: amount / party, quantity: party } : item(label, amount)
}

/**
 * Computes the payment of a booking after a move to another slot. The buyer owes the difference to a higher price, and
 * the business refunds the difference to a lower price. Earlier fees and refunds stay the same. If the new slot has
 * another currency or another rule when to pay, the payment stays unchanged.
 */
export function movedPayment(
  before: Payment | undefined,
  after: Payment | undefined,
  fee: number,
): { payment: Payment | undefined; refund: number } {
  const asAgreed = before?.timing === after?.timing && before?.currency === after?.currency
  if (!before || !after || !asAgreed) return { payment: before, refund: 0 }
  const { received, last_refund, visit_asked } = before
  const visitAsked = visit_asked && { visit_asked }
  const updated = { ...after, received, ...(last_refund !== undefined && { last_refund }), ...visitAsked }
  if (before.timing === 'at_service' && !visit_asked) return { payment: updated, refund: 0 }
  const isUnpaid = collectedOf(before) === 0
  const difference = before.due + dueBeforeVisit(updated) - dueBeforeVisit(before)
  const due = difference + fee
  if (due <= 0)
    return { payment: { ...updated, due: 0, items: [] }, refund: Math.min(Math.abs(due), keptAmountOf(before)) }
  // If the buyer has paid nothing yet, the new price replaces the old price.
  const prices = isUnpaid ? after.items : [item(PRICE_DIFFERENCE, difference)]
  const fees = item(MOVING_FEE, isUnpaid ? due - dueBeforeVisit(after) : Math.min(fee, due))
  return { payment: { ...updated, due, items: [...prices, fees].filter(({ amount }) => amount > 0) }, refund: 0 }
}

/**
 * The part of the price that the buyer does not pay on site. If the buyer has already paid a part of the amount for the
 * visit, the function returns the whole price.
 */
const dueBeforeVisit = (payment: Payment) => totalOf(payment) - leftForVisit(payment)
