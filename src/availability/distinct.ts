/** One of each list, none taken twice: whether each requirement can have a resource of its own, and which. */
export function distinct(choices: readonly string[][], taken: readonly string[] = []): string[] | undefined {
  const [first, ...rest] = choices
  if (!first) return [...taken]
  for (const id of first) {
    const assignment = taken.includes(id) ? undefined : distinct(rest, [...taken, id])
    if (assignment) return assignment
  }
}
