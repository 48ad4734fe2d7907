/**
 * Memoizes `find` by key. At `most` entries it clears the whole cache: tracking the order of use would cost more than
 * some repeated calls.
 */
export function memoize<Key, Value>(most: number, find: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>()
  return (key) => {
    const before = known.get(key)
    if (before !== undefined) return before
    const found = find(key)
    if (known.size >= most) known.clear()
    known.set(key, found)
    return found
  }
}

/** Concurrent callers with the same key share one run and its result. */
export function singleFlight<T>(inFlight: Map<string, Promise<T>>, key: string, work: () => Promise<T>): Promise<T> {
  const running = inFlight.get(key)
  if (running) return running
  const started = work().finally(() => inFlight.delete(key))
  inFlight.set(key, started)
  return started
}
