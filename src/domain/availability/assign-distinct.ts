type Choices = readonly (readonly string[])[]

/**
 * Picks one id from each list, none twice, so that each requirement has a resource of its own; undefined when that cannot be.
 * The first of each list that leaves something for the others: to try one after the other takes years where ten of one kind
 * are wanted and nine are there.
 */
export function assignDistinct(choices: Choices): string[] | undefined {
  const assigned: string[] = []
  for (const [index, ids] of choices.entries()) {
    const others = choices.slice(index + 1)
    const left = ids.filter((id) => !assigned.includes(id))
    const id = left.find((one) => canAssign(others, [...assigned, one]))
    if (id === undefined) return undefined
    assigned.push(id)
  }
  return assigned
}

/** Whether that can be, without saying how: surely where every list is as long as there are lists. */
export const canAssignDistinct = <T>(choices: readonly (readonly T[])[], idOf: (one: T) => string): boolean =>
  choices.every(({ length }) => length >= choices.length) ||
  assignDistinct(choices.map((ones) => ones.map(idOf))) !== undefined

/** Whoever has what another needs takes something else, if there is anything (augmenting paths). */
function canAssign(choices: Choices, taken: readonly string[]): boolean {
  const holders = new Map<string, readonly string[]>()
  const assign = (ids: readonly string[], asked: Set<string>): boolean =>
    ids.some((id) => {
      if (asked.has(id)) return false
      asked.add(id)
      const holder = holders.get(id)
      const isFree = holder === undefined || assign(holder, asked)
      if (isFree) holders.set(id, ids)
      return isFree
    })
  return choices.every((ids) => assign(ids, new Set(taken)))
}
