import { WEEKDAYS } from '../../infra/time/units.ts'
import { dateIn, rfc3339 } from '../../infra/time/zone.ts'
import type { PriceRule, Season, ServiceDefinition } from '../../protocol/types.generated.ts'
import type { Plan } from './plan.ts'

/** A price rule in a form that is fast to check for thousands of times. */
interface PreparedRule {
  rule: PriceRule
  /** The rule applies if the time has one of these resources. Undefined when the rule does not depend on resources. */
  named: ReadonlySet<string> | undefined
}

/** Cache of the last start only: callers ask for times in order, so equal starts follow each other. */
interface RuleCache {
  ready: PreparedRule[]
  plan?: Plan
  start?: number
  holding: PreparedRule[]
}

const services = new WeakMap<ServiceDefinition, RuleCache>()

function ruleCacheOf(service: ServiceDefinition): RuleCache {
  const known = services.get(service) ?? { ready: (service.price_rules ?? []).map(prepareRule), holding: [] }
  services.set(service, known)
  return known
}

/** The price rules that apply at this start. Ends with the first rule that applies to all resources. */
export function rulesApplyingAt(plan: Plan, start: number): readonly PreparedRule[] {
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
  const last = all.findIndex(({ named }) => !named)
  const holding = last < 0 ? all : all.slice(0, last + 1)
  services.set(service, { ready: known.ready, plan, start, holding })
  return holding
}

/** ISO dates sort like text. */
const isIn = ({ from, to }: Season, day: string): boolean => (from ?? day) <= day && day <= (to ?? day)

const prepareRule = (rule: PriceRule): PreparedRule => ({ rule, named: rule.resources && new Set(rule.resources) })

/** Positions of the rules that name this resource. Resources with the same result cost the same. */
export const rulesNaming = (service: ServiceDefinition, id: string): string =>
  ruleCacheOf(service)
    .ready.flatMap(({ named }, nth) => (named?.has(id) ? nth : []))
    .join()
