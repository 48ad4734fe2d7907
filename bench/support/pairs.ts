export interface Pair<Seen> {
  on: Seen
  off: Seen
}

/**
 * Measures pairs: once with a feature and once without it, after a warm-up. The order in a pair is random. Garbage
 * collection often runs in every second measurement. With a fixed order, it would always slow down the same side.
 */
export async function pairsOf<Seen>(
  { warmUp, count }: { warmUp: number; count: number },
  measure: (isOn: boolean) => Promise<Seen>,
): Promise<Pair<Seen>[]> {
  const pairs: Pair<Seen>[] = []
  for (let nth = 0; nth < warmUp + count; nth++) {
    const isFirst = Math.random() < 0.5
    const [first, second] = [await measure(isFirst), await measure(!isFirst)]
    if (nth >= warmUp) pairs.push(isFirst ? { on: first, off: second } : { on: second, off: first })
  }
  return pairs
}
