import type { PricingDefinition } from '../../protocol/types.generated.ts'
import type { AvailableTime } from './available-times.ts'
import type { Plan } from './plan.ts'
import { slotAmount } from './slot-price.ts'

export interface PriceTerms {
  /** Null when nothing is due. */
  timing: 'at_booking' | 'at_service' | 'deposit_required' | null
  currency: string
  model: PricingDefinition['model']
  /** Price of one unit in this slot, in minor units. */
  unit: number
  deposit: PricingDefinition['deposit'] | null
  tax: { percent: number; included: boolean }
}

/** A business in `ucp_native` mode takes no payment in its bookings: `timing` is null. */
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
