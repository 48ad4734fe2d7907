type Choices = readonly (readonly string[])[]

/**
 * Picks one id from each list, so that all picked ids differ. Returns undefined if this is impossible. From each list,
 * the function picks the first id that still allows a solution for the other lists. Simple backtracking would try a
 * million combinations if ten lists contained the same nine ids.
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
 * Whether one id can be picked from each list, so that all picked ids differ. If each list has at least as many ids as
 * there are lists, the answer is yes without a search.
 */
export const canAssignDistinct = <T>(choices: readonly (readonly T[])[], idOf: (one: T) => string): boolean =>
  choices.every(({ length }) => length >= choices.length) ||
  assignDistinct(choices.map((ones) => ones.map(idOf))) !== undefined

/**
 * Whether one id can be picked from each list, so that all picked ids differ and no id is in `taken`. The algorithm is
 * bipartite matching with augmenting paths. If two lists need the same id, one of these lists switches to another id if
 * possible.
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
