import { HOUR, MINUTE } from '../../infra/time/units.ts'
import { dateIn } from '../../infra/time/zone.ts'
import { rounded } from '../../infra/util/money.ts'
import type { AvailableTime } from '../availability/available-times.ts'
import type { Plan } from '../availability/plan.ts'
import { type PriceTerms, priceTerms } from '../availability/price-terms.ts'
import { hasSlotPrices, leastAmount } from '../availability/slot-price.ts'
import { collectedOf, type LineItem, leftForVisit, netOf, type Payment } from '../payments/payment.ts'

/** Names of what is asked for, as platforms are told; pages say them in the language of who reads them. */
export const depositLabel = (service: string) => `Deposit for ${service}`
export const PRICE_DIFFERENCE = 'Price difference'
export const MOVING_FEE = 'Rescheduling fee'

/** A time of a service, as far as its price goes. */
interface Priced {
  plan: Plan
  time: Pick<AvailableTime, 'start' | 'end' | 'picks'>
}
type Length = Pick<AvailableTime, 'start' | 'end'>

/**
 * What a booking of this slot costs and when; nothing where it costs nothing. Who holds the slot is charged by what was
 * shown when it was taken, unless the business asks for less meanwhile.
 */
export function paymentFor({ plan, time }: Priced, party: number, held?: PriceTerms | null) {
  const now = paymentBy(priceTerms(plan, time), plan, time, party)
  if (!held) return now
  const before = paymentBy(held, plan, time, party)
  return isNoMore(now, before) ? now : before
}

/** The least that a booking costs that is made from now on, before a time is chosen, and whether all times cost as much. */
export function leastPayment(
  plan: Plan,
  party: number,
  now: Date,
): { payment: Payment | undefined; isForAll: boolean } {
  const [shortest = 0, ...longer] = plan.durations
  const time = { start: 0, end: shortest, picks: [] }
  const terms = { ...priceTerms(plan, time), unit: leastAmount(plan, dateIn(plan.zone, now.getTime())) }
  const isByLength = terms.model === 'hourly' && longer.length > 0
  return { payment: paymentBy(terms, plan, time, party), isForAll: !isByLength && !hasSlotPrices(plan) }
}

/** By what was shown when the slot was taken, if it was. */
export const isDepositRefundable = ({ pricing }: Plan['service'], held?: PriceTerms | null): boolean =>
  (held ?? pricing).deposit?.refundable ?? true

/** Whether it asks for no more than the other, neither in all nor before the booking stands. */
function isNoMore(one: Payment | undefined, other: Payment | undefined): boolean {
  if (!one || !other) return !one
  const isAlike = one.timing === other.timing && one.currency === other.currency
  return isAlike && one.amount + one.tax <= other.amount + other.tax && one.due <= other.due
}

function paymentBy(terms: PriceTerms, plan: Plan, time: Length, party: number): Payment | undefined {
  const { timing, currency } = terms
  if (!timing) return undefined
  const common = { timing, currency, received: [] }
  const stated = price(terms, time, party)
  const { amount, tax } = taxed(terms, stated)
  if (timing === 'at_service') return { ...common, amount, tax, due: 0, items: [] }
  if (timing === 'at_booking')
    return { ...common, amount, tax, due: amount + tax, items: [priceItem(terms, plan, time, party, amount)] }
  const deposit = depositOf(terms, stated)
  return { ...common, amount, tax, deposit, due: deposit, items: [item(depositLabel(plan.service.name), deposit)] }
}

function price({ model, unit }: PriceTerms, time: Length, party: number): number {
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

/** The price before tax, and the tax: on top, or taken out of a price that contains it. */
function taxed({ tax: { percent, included } }: PriceTerms, gross: number): { amount: number; tax: number } {
  if (!included) return { amount: gross, tax: rounded((gross * percent) / 100) }
  const amount = rounded((gross * 100) / (100 + percent))
  return { amount, tax: gross - amount }
}

/** A share is one of the price as it is stated, with the tax that is in it. */
export function depositOf({ deposit }: Pick<PriceTerms, 'deposit'>, stated: number): number {
  const { type, value = 0 } = deposit ?? {}
  return type === 'percentage' ? rounded((stated * value) / 100) : Math.round(value)
}

const item = (label: string, amount: number): LineItem => ({ label, amount, quantity: 1 })

function priceItem({ model }: PriceTerms, { service }: Plan, time: Length, party: number, amount: number): LineItem {
  const perPerson = model === 'per_person' && amount % party === 0
  const minutes = Math.round((time.end - time.start) / MINUTE)
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
  const { received, last_refund, visit_asked } = before
  const asked = visit_asked && { visit_asked }
  const kept = { ...after, received, ...(last_refund !== undefined && { last_refund }), ...asked }
  if (before.timing === 'at_service' && !visit_asked) return { payment: kept, refund: 0 }
  const isUnpaid = collectedOf(before) === 0
  const difference = before.due + askedFor(kept) - askedFor(before)
  const due = difference + fee
  if (due <= 0) return { payment: { ...kept, due: 0, items: [] }, refund: Math.min(Math.abs(due), netOf(before)) }
  // Where nothing was paid yet the new price takes the place of the old.
  const prices = isUnpaid ? after.items : [item(PRICE_DIFFERENCE, difference)]
  const fees = item(MOVING_FEE, isUnpaid ? due - askedFor(after) : Math.min(fee, due))
  return { payment: { ...kept, due, items: [...prices, fees].filter(({ amount }) => amount > 0) }, refund: 0 }
}

/** What is collected of the price before the booking stands, or was at the visit. */
const askedFor = (payment: Payment) => payment.amount + payment.tax - leftForVisit(payment)
