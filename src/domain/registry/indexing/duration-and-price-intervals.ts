import { secondsOf } from '../../../infra/time/time-units.ts'
import { minorUnits } from '../../../infra/util/round-money.ts'
import type { Duration, Pricing } from '../../../protocol/types.generated.ts'

/** A range of numbers. Both ends belong to the range. */
export type Interval = [from: number, to: number]

/** The longest duration that the index can store, in minutes. */
const LONGEST = 2 ** 31 - 1

export function minutesOf({ fixed, range, undetermined }: Duration): Interval | undefined {
  if (undetermined) return undefined
  const [from, to] = fixed !== undefined ? [fixed, fixed] : [range?.min, range?.max]
  if (from === undefined || to === undefined) return undefined
  return between([minutesIn(from), minutesIn(to)], LONGEST)
}

const minutesIn = (duration: string) => Math.round(secondsOf(duration) / 60)

/**
 * Returns the lowest and the highest price of a service in minor units, such as cents. The result is undefined if the
 * price is unknown, such as an hourly rate without a range.
 */
export function priceOf({ model, amount, price_range: range }: Pricing): Interval | undefined {
  if (model === 'free') return [0, 0]
  if (model !== 'fixed')
    return range && between([minorUnits(range.min), minorUnits(range.max)], Number.MAX_SAFE_INTEGER)
  if (amount === undefined) return undefined
  const price = minorUnits(amount)
  return between([price, price], Number.MAX_SAFE_INTEGER)
}

const between = ([from, to]: Interval, most: number): Interval | undefined =>
  0 <= from && from <= to && to <= most ? [from, to] : undefined
