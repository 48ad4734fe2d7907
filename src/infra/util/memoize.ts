/**
 * Caches the results of the function `find` by key. After `most` results, clears the whole cache. A search for the
 * least used results would cost more than a few repeated calls.
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

/** Runs the same work once for all concurrent callers with the same key. All of them get its result. */
export function singleFlight<T>(inFlight: Map<string, Promise<T>>, key: string, work: () => Promise<T>): Promise<T> {
  const running = inFlight.get(key)
  if (running) return running
  const started = work().finally(() => inFlight.delete(key))
  inFlight.set(key, started)
  return started
}

/** Returns a function that runs `make` at its first call, and then always returns the same result. */
export function once<T extends object | string>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}
