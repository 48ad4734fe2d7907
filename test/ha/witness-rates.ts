import type { Witness } from './witness.ts'

/** In milliseconds of `performance.now()`. */
export interface Span {
  from: number
  until: number
}

/** How many bookings a second a witness began to ask for, and was acknowledged, while nothing was down. */
export function ratesOutside(
  { begun, attempts }: Pick<Witness, 'begun' | 'attempts'>,
  whole: Span,
  down: readonly Span[],
): { attempted: number; acknowledged: number } {
  const within = (at: number, { from, until }: Span) => at >= from && at < until
  const count = (instants: number[]) =>
    instants.filter((at) => within(at, whole) && !down.some((one) => within(at, one))).length
  const lengthOf = ({ from, until }: Span) => (until - from) / 1_000
  const seconds = lengthOf(whole) - down.map(lengthOf).reduce((sum, one) => sum + one, 0)
  return {
    attempted: count(begun) / seconds,
    acknowledged: count(attempts.filter(({ status }) => status === 201).map(({ at, took }) => at + took)) / seconds,
  }
}
