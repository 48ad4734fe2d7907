import { rounded } from '../money.ts'
import type { Offer } from './offers.ts'
import type { Plan } from './plan.ts'
import { dateIn, written } from './zone.ts'

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const

/** What a unit costs in this slot, in minor units: the first rule that fits it, or the usual amount. */
export function slotAmount({ service, zone }: Plan, { start, picks }: Pick<Offer, 'start' | 'picks'>): number {
  const { amount = 0, price_range } = service.pricing
  const usual = amount || (price_range?.min ?? 0)
  const time = written(zone, start).slice(11, 16)
  const weekday = WEEKDAYS[new Date(dateIn(zone, start)).getUTCDay()]
  const rule = (service.price_rules ?? []).find(
    ({ days, from = '00:00', to = '24:00', resources }) =>
      (!days || days.some((day) => day === weekday)) &&
      from <= time &&
      time < to &&
      (!resources || resources.some((id) => picks.includes(id))),
  )
  return rule?.amount ?? (rule?.percent === undefined ? usual : rounded((usual * rule.percent) / 100))
}

/** Whether slots of the service name their price: it differs from one to the other. */
export const hasSlotPrices = ({ service }: Plan): boolean =>
  service.pricing.model === 'variable' || (service.price_rules ?? []).length > 0
