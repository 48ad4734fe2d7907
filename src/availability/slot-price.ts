import { rounded } from '../basics/money.ts'
import { pickText } from '../catalog/pick-text.ts'
import type { PriceRule } from '../protocol/types.generated.ts'
import { WEEKDAYS } from '../time/units.ts'
import { dateIn, written } from '../time/zone.ts'
import type { AvailableTime } from './available-times.ts'
import type { Plan } from './plan.ts'

type PricedTime = Pick<AvailableTime, 'start' | 'picks'>

/** What a unit costs in this slot, in minor units: by the first rule that fits it, or as usual. */
export function slotAmount(plan: Plan, time: PricedTime): number {
  const rule = ruleFor(plan, time)
  return rule ? amountBy(rule, plan) : usualAmount(plan)
}

/** The least that a unit costs in any slot. */
export const leastAmount = (plan: Plan): number =>
  Math.min(usualAmount(plan), ...(plan.service.price_rules ?? []).map((rule) => amountBy(rule, plan)))

const usualAmount = ({ service: { pricing } }: Plan): number => pricing.amount || (pricing.price_range?.min ?? 0)

function amountBy({ amount, percent }: PriceRule, plan: Plan): number {
  const usual = usualAmount(plan)
  return amount ?? (percent === undefined ? usual : rounded((usual * percent) / 100))
}

/** The price of a slot in the form of the protocol. */
export function slotPricing(plan: Plan, time: PricedTime, locale: string) {
  const { label, localized } = ruleFor(plan, time) ?? {}
  const translated = pickText(localized?.label ?? {}, locale) ?? label
  const { currency } = plan.service.pricing
  return { amount: slotAmount(plan, time), currency, ...(translated !== undefined && { label: translated }) }
}

function ruleFor({ service, zone }: Plan, { start, picks }: PricedTime): PriceRule | undefined {
  const time = written(zone, start).slice(11, 16)
  const weekday = WEEKDAYS[new Date(dateIn(zone, start)).getUTCDay()]
  return service.price_rules?.find(
    ({ days, from = '00:00', to = '24:00', resources }) =>
      (!days || days.some((day) => day === weekday)) &&
      from <= time &&
      time < to &&
      (!resources || resources.some((id) => picks.includes(id))),
  )
}

/** Whether slots of the service name their price: it differs from one to the other. */
export const hasSlotPrices = ({ service }: Plan): boolean =>
  service.pricing.model === 'variable' || (service.price_rules ?? []).length > 0
