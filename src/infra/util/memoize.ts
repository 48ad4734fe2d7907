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
