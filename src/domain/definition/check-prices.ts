import { secondsOf } from '../../infra/time/time-units.ts'
import type { Fault } from '../../protocol/errors.ts'
import type { BusinessDefinition, ServiceDefinition } from '../../protocol/types.generated.ts'
import { milliseconds } from '../availability/service-durations.ts'
import { listedPrice, taxed } from '../pricing/booking-price.ts'
import { totalOf } from '../pricing/payment-amounts.ts'
import { unitPrices } from '../pricing/slot-price.ts'
import { fault } from './check-definition.ts'
import { type Warning, warning } from './warning-codes.ts'

export function* seasonsRunForward({ price_rules = [] }: ServiceDefinition): Iterable<Fault> {
  for (const [index, { season: { from, to } = {} }] of price_rules.entries())
    if (from !== undefined && to !== undefined && from > to)
      yield fault(`price_rules.${index}.season`, `begins on ${from}, after it ends on ${to}`)
}

/**
 * Refuses a fixed deposit that is higher than the price of every time, because a deposit is a part of the price. A
 * variable price without an amount counts with the lower end of its range, which is what the buyer pays at first.
 */
export function* depositFitsPrice(service: ServiceDefinition, definition: BusinessDefinition): Iterable<Fault> {
  const deposit = fixedDepositOf(service)
  const { highest } = priceSpan(service, definition)
  const isPriced = highest > 0 || service.pricing.model === 'variable'
  if (isPriced && deposit > 0 && deposit > highest)
    yield fault(
      'pricing.deposit.value',
      `is ${deposit}, but bookings cost at most ${highest}: lower the deposit, set pricing.amount, or choose payment_timing at_booking`,
    )
}

/** The fixed deposit of the service, in minor units. Zero if the service has no deposit, or a deposit in percent. */
function fixedDepositOf({ policies, pricing: { deposit } }: ServiceDefinition): number {
  const isRequired = policies.payment_timing === 'deposit_required'
  return isRequired && deposit?.type === 'fixed' ? deposit.value : 0
}

/** The lowest and the highest price of a booking with tax, in minor units. */
function priceSpan(service: ServiceDefinition, { payments }: BusinessDefinition): { lowest: number; highest: number } {
  const { duration, scheduled_duration, duration_rules = [], capacity, price_rules = [] } = service
  const { model } = service.pricing
  const { fixed = scheduled_duration, range } = duration
  const durations = range ? [range.min, range.max] : [fixed, ...duration_rules.map((rule) => rule.fixed)]
  const parties = [capacity?.min ?? 1, capacity?.max ?? Number.MAX_SAFE_INTEGER]
  const tax = payments?.tax ?? { percent: 0, included: false }
  const prices = unitPrices(service, price_rules).flatMap((unit) =>
    durations.flatMap((length) =>
      parties.map((party) =>
        totalOf(taxed({ tax }, listedPrice({ model, unit }, { start: 0, end: milliseconds(length) }, party))),
      ),
    ),
  )
  return { lowest: Math.min(...prices), highest: Math.max(...prices) }
}

export function* priceWarnings(service: ServiceDefinition, definition: BusinessDefinition): Iterable<Warning> {
  const { type, duration, pricing, price_rules = [] } = service
  const { model, price_range: range } = pricing
  const deposit = fixedDepositOf(service)
  const { lowest } = priceSpan(service, definition)
  if (deposit > 0 && deposit > lowest)
    yield warning(
      'pricing.deposit.value',
      `is ${deposit}, but some bookings cost only ${lowest}: the buyer then pays the whole price in advance`,
      'deposit_above_price',
    )
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
