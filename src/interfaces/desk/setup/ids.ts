/** More of a name than an id can hold, and little enough to take to its letters, whatever marks are on them. */
const ENOUGH = 200

/** An id that says what it is of, and that nothing else has: `svc_deep_massage`. Names in other letters have none of their own. */
export function idFor(kind: string, name: string, others: readonly { id: string }[]): string {
  const words =
    name
      .slice(0, ENOUGH)
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? []
  const wish = [kind, ...words].join('_').slice(0, 60).replace(/_$/, '')
  const taken = new Set([...others.map(({ id }) => id), kind])
  for (let nth = 1; ; nth++) {
    const id = nth === 1 ? wish : `${wish}_${nth}`
    if (!taken.has(id)) return id
  }
}
