import type { Span } from './spans.ts'

/**
 * The windows during which each list has a resource present. A window begins when one resource arrives and all other lists
 * have a resource present. It ends at the latest end that any choice of resources allows. Trying every combination takes
 * hours with ten lists of ten resources. Scanning all hours at each start takes hours with thousands of shifts. Therefore
 * one pass keeps the latest end of each list.
 */
export function commonWindows(lists: readonly (readonly Span[])[]): Span[] {
  const coming = lists.map(latestEnds)
  const beginnings = [...new Set(coming.flatMap((ends) => [...ends.keys()]))].sort((one, other) => one - other)
  let there = lists.map(() => NEVER)
  return beginnings.flatMap((from): Span[] => {
    const comes = coming.map((ends) => ends.get(from) ?? NEVER)
    there = there.map((end, who) => Math.max(end, comes[who] ?? NEVER))
    const ends = comes.map((end, who) => Math.min(end, ...there.filter((_, other) => other !== who)))
    const to = Math.max(...ends)
    return from < to ? [[from, to]] : []
  })
}

const NEVER = Number.NEGATIVE_INFINITY

function latestEnds(spans: readonly Span[]): ReadonlyMap<number, number> {
  const ends = new Map<number, number>()
  for (const [from, to] of spans) ends.set(from, Math.max(to, ends.get(from) ?? NEVER))
  return ends
}
