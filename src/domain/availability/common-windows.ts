import type { Span } from './spans.ts'

/**
 * The windows in which one of each list is there, whoever it is, each as long as any choice leaves it. What would come of
 * trying every choice: a window begins where somebody comes and everybody else is there. To try them all takes hours where
 * ten are needed and each may be one of ten; and to look through all hours at each beginning, where thousands come and go.
 */
export function commonWindows(lists: readonly (readonly Span[])[]): Span[] {
  const coming = lists.map(latestEnds)
  const beginnings = [...new Set(coming.flatMap((ends) => [...ends.keys()]))].sort((one, other) => one - other)
  let there = lists.map(() => NOBODY)
  return beginnings.flatMap((from): Span[] => {
    const comes = coming.map((ends) => ends.get(from) ?? NOBODY)
    there = there.map((end, who) => Math.max(end, comes[who] ?? NOBODY))
    const ends = comes.map((end, who) => Math.min(end, ...there.filter((_, other) => other !== who)))
    const to = Math.max(...ends)
    return from < to ? [[from, to]] : []
  })
}

const NOBODY = Number.NEGATIVE_INFINITY

/** Of those who come at the same time, until when the last stays. */
function latestEnds(spans: readonly Span[]): ReadonlyMap<number, number> {
  const ends = new Map<number, number>()
  for (const [from, to] of spans) ends.set(from, Math.max(to, ends.get(from) ?? NOBODY))
  return ends
}
