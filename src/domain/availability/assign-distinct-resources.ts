type Choices = readonly (readonly string[])[]

/**
 * Picks a different id from each list, or returns undefined if this is impossible. Picks from each list the first id
 * that still allows a solution for the other lists. Simple backtracking would run for years if ten lists shared the
 * same nine ids.
 */
export function assignDistinct(choices: Choices): string[] | undefined {
  const assigned: string[] = []
  for (const [index, ids] of choices.entries()) {
    const others = choices.slice(index + 1)
    const left = ids.filter((id) => !assigned.includes(id))
    const id = left.find((one) => isAssignable(others, [...assigned, one]))
    if (id === undefined) return undefined
    assigned.push(id)
  }
  return assigned
}

/**
 * Whether a different id can be picked from each list. No search is needed if every list has at least as many ids as
 * there are lists.
 */
export const canAssignDistinct = <T>(choices: readonly (readonly T[])[], idOf: (one: T) => string): boolean =>
  choices.every(({ length }) => length >= choices.length) ||
  assignDistinct(choices.map((ones) => ones.map(idOf))) !== undefined

/**
 * Whether an id that is not in `taken` can be picked from each list, so that all picked ids differ. The algorithm is
 * bipartite matching with augmenting paths: if two lists need the same id, one list takes another id if possible.
 */
function isAssignable(choices: Choices, taken: readonly string[]): boolean {
  const holders = new Map<string, readonly string[]>()
  const assign = (ids: readonly string[], visited: Set<string>): boolean =>
    ids.some((id) => {
      if (visited.has(id)) return false
      visited.add(id)
      const holder = holders.get(id)
      const isFree = holder === undefined || assign(holder, visited)
      if (isFree) holders.set(id, ids)
      return isFree
    })
  return choices.every((ids) => assign(ids, new Set(taken)))
}
