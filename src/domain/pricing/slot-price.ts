import { WEEKDAYS } from '../../infra/time/time-units.ts'
import { dateIn, rfc3339 } from '../../infra/time/time-zone.ts'
import { rounded } from '../../infra/util/round-money.ts'
import type {
  BusinessDefinition,
  PriceRule,
  PricingDefinition,
  Season,
  ServiceDefinition,
} from '../../protocol/types.generated.ts'
import { pickText } from '../catalog/localized-texts.ts'

/** The parts of a service's definition that determine its price. */
export interface PricedPlan {
  service: ServiceDefinition
  business: BusinessDefinition
  zone: string
  /** The possible durations of the service in milliseconds, shortest first. */
  durations: number[]
}

export interface PricedTime {
  /** The start of the slot in milliseconds since 1970. */
  start: number
  /** Ids of the people, rooms or items that the buyer chooses. */
  picks: string[]
}

/**
 * The price of a slot for one person or item, in minor units. The first price rule that applies determines the price.
 * If none applies, the slot has the usual price of the service.
 */
export function slotAmount(plan: PricedPlan, time: PricedTime): number {
  const rule = ruleFor(plan, time)
  return rule ? amountBy(rule, plan.service) : usualAmount(plan.service)
}

/** The lowest price of any slot from this day on, for one person or item, in minor units. */
export function minAmount(plan: PricedPlan, day: string): number {
  const rules = (plan.service.price_rules ?? []).filter(({ season }) => day <= (season?.to ?? day))
  return Math.min(...unitPrices(plan.service, rules))
}

/** The usual price of a service and the prices of these price rules, for one person or item, in minor units. */
export const unitPrices = (service: ServiceDefinition, rules: readonly PriceRule[]): number[] => [
  usualAmount(service),
  ...rules.map((rule) => amountBy(rule, service)),
]

const usualAmount = ({ pricing }: ServiceDefinition): number => pricing.amount || (pricing.price_range?.min ?? 0)

function amountBy({ amount, percent }: PriceRule, service: ServiceDefinition): number {
  const usual = usualAmount(service)
  return amount ?? (percent === undefined ? usual : rounded((usual * percent) / 100))
}

export function slotPricing(plan: PricedPlan, time: PricedTime, locale: string) {
  const rule = ruleFor(plan, time)
  const { label, localized } = rule ?? {}
  const translated = pickText(localized?.label ?? {}, locale) ?? label
  const { currency } = plan.service.pricing
  return {
    amount: rule ? amountBy(rule, plan.service) : usualAmount(plan.service),
    currency,
    ...(translated !== undefined && { label: translated }),
  }
}

function ruleFor(plan: PricedPlan, { start, picks }: PricedTime): PriceRule | undefined {
  const rules = rulesApplyingAt(plan, start)
  return rules.find(({ resourceIds }) => !resourceIds || picks.some((id) => resourceIds.has(id)))?.rule
}

/** Whether the slots of a service have different prices. If so, each slot states its price. */
export const hasSlotPrices = ({ service }: PricedPlan): boolean =>
  service.pricing.model === 'variable' || (service.price_rules ?? []).length > 0

/** A price rule in a form that the server can quickly check against thousands of slots. */
interface PreparedRule {
  rule: PriceRule
  /**
   * Ids of people, rooms or items. The rule applies only if the buyer chooses one of them. If undefined, the rule does
   * not depend on the buyer's choice.
   */
  resourceIds: ReadonlySet<string> | undefined
}

/**
 * Caches the price rules that apply to bookings with the last requested start time. One start time is enough, because
 * callers request the prices in the order of time.
 */
interface RuleCache {
  ready: PreparedRule[]
  plan?: PricedPlan
  start?: number
  holding: PreparedRule[]
}

const services = new WeakMap<ServiceDefinition, RuleCache>()

function ruleCacheOf(service: ServiceDefinition): RuleCache {
  const known = services.get(service) ?? { ready: (service.price_rules ?? []).map(prepareRule), holding: [] }
  services.set(service, known)
  return known
}

/**
 * Returns the price rules that apply to bookings with this start time. The list ends with the first rule that applies
 * to all resources, because later rules have no effect.
 */
function rulesApplyingAt(plan: PricedPlan, start: number): readonly PreparedRule[] {
  const { service, zone } = plan
  const known = ruleCacheOf(service)
  if (known.ready.length === 0) return known.ready
  if (known.plan === plan && known.start === start) return known.holding
  const time = rfc3339(zone, start).slice(11, 16)
  const day = dateIn(zone, start)
  const weekday = WEEKDAYS[new Date(day).getUTCDay()]
  const all = known.ready.filter(
    ({ rule: { days, season, from = '00:00', to = '24:00' } }) =>
      (!days || days.some((name) => name === weekday)) && from <= time && time < to && (!season || isIn(season, day)),
  )
  const last = all.findIndex(({ resourceIds }) => !resourceIds)
  const holding = last < 0 ? all : all.slice(0, last + 1)
  services.set(service, { ready: known.ready, plan, start, holding })
  return holding
}

/** Whether a day is in a season. The dates are ISO dates, so they can be compared as text. */
const isIn = ({ from, to }: Season, day: string): boolean => (from ?? day) <= day && day <= (to ?? day)

const prepareRule = (rule: PriceRule): PreparedRule => ({
  rule,
  resourceIds: rule.resources && new Set(rule.resources),
})

/**
 * Returns the positions of the price rules that name this resource (such as a staff member), as text such as `0,2`.
 * Resources with equal texts always have equal prices.
 */
export const rulesNaming = (service: ServiceDefinition, id: string): string =>
  ruleCacheOf(service)
    .ready.flatMap(({ resourceIds }, nth) => (resourceIds?.has(id) ? nth : []))
    .join()

export interface PriceTerms {
  /** When the buyer must pay for the slot. Null if nothing is due. */
  timing: 'at_booking' | 'at_service' | 'deposit_required' | null
  currency: string
  model: PricingDefinition['model']
  /** The price of the slot for one person or item, in minor units. */
  unit: number
  deposit: PricingDefinition['deposit'] | null
  tax: { percent: number; included: boolean }
}

/**
 * The price and the payment rules of a slot outside a UCP checkout (a purchase through the Universal Commerce
 * Protocol). A business inside UCP takes payments only in a UCP checkout, so its `timing` is null here.
 */
export function priceTerms(plan: PricedPlan, time: PricedTime): PriceTerms {
  const terms = checkoutTerms(plan, time)
  return plan.business.deployment_mode === 'ucp_native' ? { ...terms, timing: null } : terms
}

/**
 * The price and the payment rules of a slot in a UCP checkout (a purchase through the Universal Commerce Protocol). In
 * a UCP checkout, every business takes payments.
 */
export function checkoutTerms(plan: PricedPlan, time: PricedTime): PriceTerms {
  const { policies, pricing } = plan.service
  return {
    timing: (policies.requires_payment && policies.payment_timing) || null,
    currency: pricing.currency,
    model: pricing.model,
    unit: slotAmount(plan, time),
    deposit: pricing.deposit ?? null,
    tax: plan.business.payments?.tax ?? { percent: 0, included: false },
  }
}
