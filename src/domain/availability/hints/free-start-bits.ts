import { SECOND } from '../../../infra/time/time-units.ts'

/**
 * The possible starts of bookings of one duration, stored as bits. Bits need far less memory than an array, and the
 * cache contains thousands of these objects. All starts are in seconds since midnight of the first day.
 */
export interface FreeStarts {
  /** The first and the last scheduled start of a booking. Buyers may already have booked these starts. */
  first: number
  last: number
  /**
   * The greatest common divisor of the distances between scheduled starts, in seconds. The value is 0 if there is only
   * one start.
   */
  spread: number
  /**
   * The distance between two bits, in seconds. Bit i stands for the start at i × `step` seconds. The bit is set if this
   * start is free.
   */
  step: number
  bits: Uint32Array
}

/** The possible starts of bookings, by the duration of the booking in milliseconds. */
export type StartsByDuration = Map<number, FreeStarts>

/** Collects the possible starts of bookings of one duration. Callers must add the starts in order, earliest first. */
class StartCollector {
  readonly #first: number
  #last: number
  #spread = 0
  readonly #free: number[] = []

  constructor(first: number) {
    this.#first = first
    this.#last = first
  }

  add(second: number, isFree: boolean): void {
    const ahead = second - this.#first
    if (this.#spread === 0 || ahead % this.#spread !== 0) this.#spread = commonDivisor(this.#spread, ahead)
    this.#last = second
    if (isFree) this.#free.push(second)
  }

  starts(): FreeStarts {
    const [first, last, spread] = [this.#first, this.#last, this.#spread]
    const step = commonDivisor(spread, first) || 1
    const bits = new Uint32Array(((last / step) >> 5) + 1)
    for (const one of this.#free) setBit(bits, one / step)
    return { first, last, spread, step, bits }
  }
}

/** Collects the possible starts of bookings for each duration, while the server counts the free times of a service. */
export class StartsCollector {
  readonly #midnight: number
  readonly #durations = new Map<number, StartCollector>()

  constructor(midnight: number) {
    this.#midnight = midnight
  }

  add(start: number, duration: number, isFree: boolean): void {
    const second = (start - this.#midnight) / SECOND
    const known = this.#durations.get(duration)
    const starts = known ?? new StartCollector(second)
    if (!known) this.#durations.set(duration, starts)
    starts.add(second, isFree)
  }

  byDuration(): StartsByDuration {
    return new Map([...this.#durations].map(([duration, starts]) => [duration, starts.starts()]))
  }
}

/**
 * Combines the free starts of several choices, such as several staff members. A start is free if at least one choice is
 * free at this start.
 */
export function anyFree(shares: readonly FreeStarts[]): FreeStarts | undefined {
  const [one, ...others] = shares
  if (!one) return undefined
  const first = Math.min(...shares.map((share) => share.first))
  const last = Math.max(...shares.map((share) => share.last))
  const step = others.reduce((divisor, share) => commonDivisor(divisor, share.step), one.step)
  const spread = shares.reduce((sum, share) => commonDivisor(commonDivisor(sum, share.spread), share.first - first), 0)
  const bits = new Uint32Array(((last / step) >> 5) + 1)
  for (const share of shares)
    if (share.step === step)
      for (let nth = 0; nth < share.bits.length; nth++) bits[nth] = (bits[nth] ?? 0) | (share.bits[nth] ?? 0)
    else for (const start of startsIn(share)) setBit(bits, start / step)
  return { first, last, spread, step, bits }
}

/** Yields the free starts of bookings in seconds, earliest first. */
export function* startsIn({ step, bits }: Pick<FreeStarts, 'step' | 'bits'>): Generator<number> {
  for (let nth = 0; nth < bits.length; nth++)
    for (let word = bits[nth] ?? 0; word !== 0; word &= word - 1)
      yield (nth * 32 + 31 - Math.clz32(word & -word)) * step
}

function setBit(bits: Uint32Array, nth: number): void {
  bits[nth >> 5] = (bits[nth >> 5] ?? 0) | (1 << (nth & 31))
}

function commonDivisor(one: number, other: number): number {
  let [a, b] = [Math.abs(one), Math.abs(other)]
  while (b > 0) [a, b] = [b, a % b]
  return a
}

export const bytesOf = (starts: StartsByDuration): number =>
  [...starts.values()].reduce((sum, { bits }) => sum + bits.byteLength, 0)
