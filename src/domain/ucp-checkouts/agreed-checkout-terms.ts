import { englishLocalizer } from '../../infra/i18n/localizer.ts'
import { rfc3339 } from '../../infra/time/time-zone.ts'
import type { Slot } from '../availability/find-slot.ts'
import { isoDuration, namedResources } from '../availability/time-slot-response.ts'
import { cancellationFacts, cancellationText } from '../bookings/cancellation-costs.ts'
import { checkoutPayment, isDepositRefundable } from '../pricing/booking-price.ts'
import type { Payment } from '../pricing/payment-amounts.ts'
import { checkoutTerms, type PriceTerms } from '../pricing/slot-price.ts'
import { tasksOfService } from './buyer-tasks.ts'
import type { Agreed, ShownPrice } from './checkout-row.ts'
import { isOffline, termOf } from './payment-term.ts'

/**
 * Collects the terms of a UCP (Universal Commerce Protocol) checkout on which platform and business agreed: the slot,
 * its price and the time of payment.
 */
export function agreedOn(slot: Slot, party: number, held: PriceTerms | null, now: Date): Agreed {
  const { plan, time } = slot
  const { service, zone } = plan
  const payment = checkoutPayment(slot, party, held)
  const start = rfc3339(zone, time.start)
  const term = payment && termOf(payment, start, zone)
  return {
    service: { id: service.id, name: service.name, type: service.type },
    slot: { id: slot.id, start, end: rfc3339(zone, time.end), duration: isoDuration(time.end - time.start) },
    zone,
    resources: namedResources(plan, time.picks),
    party,
    confirmation_mode: service.policies.confirmation_mode,
    terms: { policies: service.policies, deposit_refundable: isDepositRefundable(service, held) },
    currency: payment?.currency ?? service.pricing.currency,
    price: shownPrice(slot, party, payment),
    ...(payment && { payment }),
    ...(term && { term }),
    is_offline: term !== undefined && isOffline(term),
    cancellation: cancellationOf(slot, payment, { held, now }),
    ...tasksOfService(service),
  }
}

function cancellationOf(
  { plan: { service, zone }, time }: Slot,
  payment: Payment | undefined,
  { held, now }: { held: PriceTerms | null; now: Date },
): Agreed['cancellation'] {
  const { policies, pricing } = service
  const terms = { policies, deposit_refundable: isDepositRefundable(service, held), ...(payment && { payment }) }
  const facts = cancellationFacts(terms, new Date(time.start), now)
  const currency = payment?.currency ?? pricing.currency
  const keepsDeposit = facts.possible && facts.keptDeposit !== undefined
  return {
    terms: cancellationText(facts, { zone, currency }, englishLocalizer()).join(' '),
    must_be_shown: !facts.possible || facts.fee !== undefined || keepsDeposit,
    ...(keepsDeposit && { keeps_deposit: true }),
  }
}

/**
 * Computes the amounts of a UCP checkout in the form in which the catalogue shows prices. If the catalogue prices
 * include the tax, these amounts also include the tax.
 */
function shownPrice({ plan, time }: Slot, party: number, payment: Payment | undefined): ShownPrice {
  const { model, tax: rate } = checkoutTerms(plan, time)
  const { amount = 0, tax = 0 } = payment ?? {}
  const total = amount + tax
  const subtotal = rate.included ? total : amount
  const isByPerson = model === 'per_person' && subtotal % party === 0
  const quantity = isByPerson ? party : 1
  return { unit: subtotal / quantity, quantity, subtotal, tax, isTaxIncluded: rate.included, total }
}
