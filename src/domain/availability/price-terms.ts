import type { PricingDefinition } from '../../protocol/types.generated.ts'
import type { AvailableTime } from './available-times.ts'
import type { Plan } from './plan.ts'
import { slotAmount } from './slot-price.ts'

/** All that the price of a slot is reckoned from, as it is shown at one moment. */
export interface PriceTerms {
  /** Null where nothing is to be paid. */
  timing: 'at_booking' | 'at_service' | 'deposit_required' | null
  currency: string
  model: PricingDefinition['model']
  /** What a unit costs in this slot. */
  unit: number
  deposit: PricingDefinition['deposit'] | null
  tax: { percent: number; included: boolean }
}

/** Among the businesses of UCP bookings say nothing of money. */
export function priceTerms(plan: Plan, time: Pick<AvailableTime, 'start' | 'picks'>): PriceTerms {
  const { policies, pricing } = plan.service
  const isPaid = policies.requires_payment && plan.business.deployment_mode !== 'ucp_native'
  return {
    timing: (isPaid && policies.payment_timing) || null,
    currency: pricing.currency,
    model: pricing.model,
    unit: slotAmount(plan, time),
    deposit: pricing.deposit ?? null,
    tax: plan.business.payments?.tax ?? { percent: 0, included: false },
  }
}
