import type { BusinessDefinition, PriceRule, ServiceDefinition } from '../../protocol/types.generated.ts'
import { durationsOf } from '../availability/service-durations.ts'
import { stripeStep } from '../payments/stripe-session.ts'
import { checkoutPayment } from '../pricing/booking-price.ts'
import { type Warning, warning } from './warning-codes.ts'

/**
 * Warns about prices that lead to a payment that Stripe refuses. For each price, the check computes the payment of one
 * person for the shortest duration, with tax and deposit.
 */
export function* stripeAmountWarnings(service: ServiceDefinition, definition: BusinessDefinition): Iterable<Warning> {
  const { currency } = service.pricing
  const step = stripeStep(currency)
  if (definition.payments?.provider !== 'stripe' || step === 1) return
  for (const { field, rules } of pricesOf(service)) {
    const due = dueFor({ ...service, price_rules: rules }, definition)
    if (due % step === 0) continue
    yield warning(
      field,
      `leads to a payment of ${due} minor units, but Stripe takes only multiples of ${step} in ${currency}`,
      'stripe_amount',
      { currency, zeros: String(step).slice(1) },
    )
  }
}

/** The usual price, and the price by each rule. Each rule of the result applies to all slots. */
const pricesOf = ({ price_rules = [] }: ServiceDefinition): { field: string; rules: PriceRule[] }[] => [
  { field: 'pricing', rules: [] },
  ...price_rules.map(({ amount, percent }, index) => ({
    field: `price_rules.${index}`,
    rules: [{ ...(amount !== undefined && { amount }), ...(percent !== undefined && { percent }) }],
  })),
]

/** The amount that the buyer must pay in advance, in minor units. */
function dueFor(service: ServiceDefinition, business: BusinessDefinition): number {
  const durations = durationsOf(service)
  const [end = 0] = durations
  const plan = { service, business, zone: business.business.timezone, durations }
  return checkoutPayment({ plan, time: { start: 0, end, picks: [] } }, 1)?.due ?? 0
}
