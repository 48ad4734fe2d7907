/** Picks one id from each list, none twice, so that each requirement has a resource of its own; undefined when that cannot be. */
export function assignDistinct(choices: readonly string[][], taken: readonly string[] = []): string[] | undefined {
  const [first, ...rest] = choices
  if (!first) return [...taken]
  for (const id of first) {
    const assignment = taken.includes(id) ? undefined : assignDistinct(rest, [...taken, id])
    if (assignment) return assignment
  }
}
