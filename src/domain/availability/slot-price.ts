import { rounded } from '../../infra/util/money.ts'
import type { PriceRule } from '../../protocol/types.generated.ts'
import { pickText } from '../catalog/pick-text.ts'
import type { AvailableTime } from './available-times.ts'
import type { Plan } from './plan.ts'
import { rulesApplyingAt } from './price-rules.ts'

type PricedTime = Pick<AvailableTime, 'start' | 'picks'>

/** Price of one unit in this slot, in minor units. The first rule that applies decides, otherwise the usual price. */
export function slotAmount(plan: Plan, time: PricedTime): number {
  const rule = ruleFor(plan, time)
  return rule ? amountBy(rule, plan) : usualAmount(plan)
}

/** The lowest price of one unit in any slot from this day on. */
export function minAmount(plan: Plan, day: string): number {
  const rules = (plan.service.price_rules ?? []).filter(({ season }) => day <= (season?.to ?? day))
  return Math.min(usualAmount(plan), ...rules.map((rule) => amountBy(rule, plan)))
}

const usualAmount = ({ service: { pricing } }: Plan): number => pricing.amount || (pricing.price_range?.min ?? 0)

function amountBy({ amount, percent }: PriceRule, plan: Plan): number {
  const usual = usualAmount(plan)
  return amount ?? (percent === undefined ? usual : rounded((usual * percent) / 100))
}

export function slotPricing(plan: Plan, time: PricedTime, locale: string) {
  const rule = ruleFor(plan, time)
  const { label, localized } = rule ?? {}
  const translated = pickText(localized?.label ?? {}, locale) ?? label
  const { currency } = plan.service.pricing
  return {
    amount: rule ? amountBy(rule, plan) : usualAmount(plan),
    currency,
    ...(translated !== undefined && { label: translated }),
  }
}

function ruleFor(plan: Plan, { start, picks }: PricedTime): PriceRule | undefined {
  const rules = rulesApplyingAt(plan, start)
  return rules.find(({ named }) => !named || picks.some((id) => named.has(id)))?.rule
}

/** Tells if prices differ between slots. Only then each slot shows its price. */
export const hasSlotPrices = ({ service }: Plan): boolean =>
  service.pricing.model === 'variable' || (service.price_rules ?? []).length > 0
