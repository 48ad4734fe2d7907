import type { Span } from './spans.ts'

/**
 * The windows in which one of each list is there, whoever it is, each as long as any choice leaves it. What would come of
 * trying every choice: a window begins where somebody comes and everybody else is there. To try them all takes hours where
 * ten are needed and each may be one of ten.
 */
export function commonWindows(lists: readonly (readonly Span[])[]): Span[] {
  const beginnings = new Set(lists.flatMap((spans) => spans.map(([from]) => from)))
  return [...beginnings].flatMap((from): Span[] => {
    const comes = lists.map((spans) => latestEnd(spans, (span) => span[0] === from))
    const isThere = lists.map((spans) => latestEnd(spans, (span) => span[0] <= from))
    const ends = comes.map((end, who) => Math.min(end, ...isThere.filter((_, other) => other !== who)))
    const to = Math.max(...ends)
    return from < to ? [[from, to]] : []
  })
}

const latestEnd = (spans: readonly Span[], counts: (span: Span) => boolean): number =>
  spans.reduce((latest, span) => (counts(span) ? Math.max(latest, span[1]) : latest), Number.NEGATIVE_INFINITY)
