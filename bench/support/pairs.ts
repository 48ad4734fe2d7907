export interface Pair<Seen> {
  on: Seen
  off: Seen
}

/**
 * So many pairs of the same with something and without it, after some that nobody counts. Which is first is drawn: garbage is
 * collected every other turn or so, and by strict turns that would meet the same one each time.
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
