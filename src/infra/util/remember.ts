/**
 * Finds something out once for each key. When it knows so many it begins anew: to keep them in the order of their use would
 * cost more than to find some again.
 */
export function remember<Key, Value>(most: number, find: (key: Key) => Value): (key: Key) => Value {
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
