import { lowerBound } from '../../infra/util/binary-search.ts'

/**
 * A span of time in milliseconds. The span includes the instant `from` and excludes the instant `to`. A list of spans
 * is sorted by `from`, and its spans do not overlap.
 */
export type Span = readonly [from: number, to: number]

/**
 * The times that two lists of spans have in common. The function does not merge spans that touch each other, so the
 * result keeps the boundaries of the two lists.
 */
export function intersection(one: readonly Span[], other: readonly Span[]): Span[] {
  const shared: Span[] = []
  for (let i = 0, j = 0; i < one.length && j < other.length; ) {
    const [a, b] = [one[i], other[j]]
    if (!a || !b) break
    const from = Math.max(a[0], b[0])
    const to = Math.min(a[1], b[1])
    if (from < to) shared.push([from, to])
    if (a[1] < b[1]) i++
    else j++
  }
  return shared
}

/**
 * The parts of `spans` that do not overlap `taken`. A binary search skips the spans of `taken` that end before the
 * first span of `spans`.
 */
export function subtracted(spans: readonly Span[], taken: readonly Span[]): Span[] {
  const left: Span[] = []
  let next = firstEndingAfter(taken, spans[0]?.[0] ?? 0)
  for (const [from, to] of spans) {
    let rest = from
    for (; ; next++) {
      const [takenFrom, takenTo] = taken[next] ?? [to, to]
      if (takenFrom >= to) break
      if (rest < takenFrom) left.push([rest, takenFrom])
      rest = Math.max(rest, takenTo)
      if (takenTo > to) break
    }
    if (rest < to) left.push([rest, to])
  }
  return left
}

/** Merges spans of time that overlap or touch each other. */
export const merged = (spans: readonly Span[]): Span[] => mergedWhen(spans, (end, next) => next <= end)

/** Merges spans of time that overlap. Spans that only touch each other stay separate. */
export const mergedOverlaps = (spans: readonly Span[]): Span[] => mergedWhen(spans, (end, next) => next < end)

function mergedWhen(spans: readonly Span[], belong: (end: number, next: number) => boolean): Span[] {
  const whole: Span[] = []
  for (const span of spans) {
    const last = whole.at(-1)
    if (last && belong(last[1], span[0])) whole[whole.length - 1] = [last[0], Math.max(last[1], span[1])]
    else whole.push(span)
  }
  return whole
}

/**
 * Whether a single span contains the whole time from `from` to `to`. If `from` equals `to`, the end of a span also
 * counts as inside. The spans must be sorted and must not touch each other.
 */
export function covers(spans: readonly Span[], from: number, to: number): boolean {
  const span = spans[firstEndingAfter(spans, from < to ? from : from - 1)]
  return span !== undefined && span[0] <= from && to <= span[1]
}

/** Whether one of the spans overlaps the time from `from` to `to`. The spans must be sorted and must not overlap. */
export const overlapsAny = (spans: readonly Span[], from: number, to: number): boolean =>
  (spans[firstEndingAfter(spans, from)]?.[0] ?? Number.POSITIVE_INFINITY) < to

const firstEndingAfter = (spans: readonly Span[], instant: number): number =>
  lowerBound(spans.length, (nth) => (spans[nth]?.[1] ?? 0) <= instant)
