/**
 * The maximum number of characters of a name from which the server makes an id. Ids are shorter, so more characters
 * would only cost time.
 */
const ENOUGH = 200

/**
 * Creates a readable and unique id from a name, such as `svc_deep_massage`. If the name has no Latin letters or digits,
 * the id consists of the kind and a number, such as `svc_2`.
 */
export function idFor(kind: string, name: string, existing: readonly { id: string }[]): string {
  const words =
    name
      .slice(0, ENOUGH)
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? []
  const preferred = [kind, ...words].join('_').slice(0, 60).replace(/_$/, '')
  const taken = new Set([...existing.map(({ id }) => id), kind])
  for (let nth = 1; ; nth++) {
    const id = nth === 1 ? preferred : `${preferred}_${nth}`
    if (!taken.has(id)) return id
  }
}
