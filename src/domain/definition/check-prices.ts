import { secondsOf } from '../../infra/time/time-units.ts'
import type { Fault } from '../../protocol/errors.ts'
import type { ServiceDefinition } from '../../protocol/types.generated.ts'
import { fault } from './check-definition.ts'
import { type Warning, warning } from './warning-codes.ts'

export function* seasonsRunForward({ price_rules = [] }: ServiceDefinition): Iterable<Fault> {
  for (const [index, { season: { from, to } = {} }] of price_rules.entries())
    if (from !== undefined && to !== undefined && from > to)
      yield fault(`price_rules.${index}.season`, `begins on ${from}, after it ends on ${to}`)
}

export function* priceWarnings({ type, duration, pricing, price_rules = [] }: ServiceDefinition): Iterable<Warning> {
  const { model, price_range: range } = pricing
  if (
    type === 'rental' &&
    model === 'fixed' &&
    duration.range &&
    secondsOf(duration.range.min) < secondsOf(duration.range.max)
  )
    yield warning(
      'pricing.model',
      'is fixed: the longest rental costs as much as the shortest. Choose hourly to charge for the time',
      'fixed_price',
    )
  for (const [index, { amount, percent }] of price_rules.entries()) {
    if (percent !== undefined && percent < 50)
      yield warning(
        `price_rules.${index}.percent`,
        `is ${percent}: it costs ${percent} percent of the usual price then, and not ${percent} percent less`,
        'percent',
        { percent },
      )
    if (model === 'variable' && range && amount !== undefined && (amount < range.min || amount > range.max))
      yield warning(
        `price_rules.${index}.amount`,
        `is ${amount}, outside of the price_range from ${range.min} to ${range.max} in the catalogue`,
        'outside_range',
      )
  }
}
