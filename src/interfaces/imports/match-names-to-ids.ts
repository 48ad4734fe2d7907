import { isZone } from '../../infra/time/time-zone.ts'
import { folded } from '../../infra/util/plain-text.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'

export const KINDS = ['service', 'with', 'place'] as const
export type Kind = (typeof KINDS)[number]

/**
 * The name map of an import. It maps names in the other system to ids of this business. If a name maps to null, the
 * import leaves out the name. `zone` maps time zone names of the calendar to IANA names.
 */
export type NameMap = Partial<Record<Kind, Record<string, string | null>> & { zone: Record<string, string> }>

export const isNameMap = (value: unknown): value is NameMap =>
  isObject(value) &&
  Object.entries(value).every(([kind, names]) => {
    if (!isObject(names)) return false
    const ids: unknown[] = Object.values(names)
    if (kind === 'zone') return ids.every((zone) => typeof zone === 'string' && isZone(zone))
    return KINDS.some((one) => one === kind) && ids.every((id) => id === null || typeof id === 'string')
  })

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

interface NamedEntry {
  id: string
  name: string
  localized?: { name?: Record<string, string> }
}

/**
 * The result for an imported name: an id, the decision to leave out the name, or the reason why the import found no id.
 */
export type Found = { id: string } | { isLeftOut: true } | { fault: string }

/**
 * Returns a function that finds the id for an imported name. The function searches first in the name map, then among
 * the ids, then among the names in all languages.
 */
export function nameFinder({ services, resources = [], locations = [] }: BusinessDefinition, map: NameMap) {
  const entries: Record<Kind, readonly NamedEntry[]> = { service: services, with: resources, place: locations }
  const found = new Map<string, Found>()
  return (kind: Kind, name: string): Found => {
    const key = `${kind} ${name}`
    const result = found.get(key) ?? find(entries[kind], name, kind, map[kind] ?? {})
    found.set(key, result)
    return result
  }
}

export type Names = ReturnType<typeof nameFinder>

function find(entries: readonly NamedEntry[], name: string, kind: Kind, map: Record<string, string | null>): Found {
  const mapped = Object.entries(map).find(([from]) => folded(from) === folded(name))?.[1]
  if (mapped === null) return { isLeftOut: true }
  const wantedId = mapped ?? name
  const byId = entries.find(({ id }) => id === wantedId)
  if (byId) return { id: byId.id }
  if (mapped !== undefined)
    return { fault: `The map has ${name} as ${mapped}, which is no id of a ${called[kind]} here.` }
  const [one, ...others] = entries.filter((thing) =>
    namesIn(thing).some((entryName) => folded(entryName) === folded(name)),
  )
  if (one && others.length === 0) return { id: one.id }
  if (one)
    return {
      fault: `Several are called ${name}: ${[one, ...others].map(({ id }) => id).join(', ')}. ${mapHint(kind, name)}`,
    }
  const near = nearest(entries, name)
  const perhaps = near ? `Perhaps ${near.name}? ${mapHint(kind, name, near.id)}` : mapHint(kind, name)
  return { fault: `There is no ${called[kind]} ${name}. ${perhaps}` }
}

const called = { service: 'service', with: 'person or thing', place: 'place' } as const

const namesIn = ({ name, localized }: NamedEntry) => [name, ...Object.values(localized?.name ?? {})]

/**
 * Returns a hint for a person whose import contains an unknown name. The hint shows the line to add to the name map,
 * which maps imported names to ids.
 */
export const mapHint = (kind: keyof NameMap, name: string, id = 'ID') =>
  `Map it: {"${kind}": {${JSON.stringify(name)}: ${JSON.stringify(id)}}}`

/**
 * Returns the person, service or location whose name is most similar to the imported name. Returns undefined if no name
 * is similar enough.
 */
function nearest(entries: readonly NamedEntry[], name: string): NamedEntry | undefined {
  const alike = (thing: NamedEntry) => Math.max(...namesIn(thing).map((entryName) => likeness(entryName, name)))
  const [best] = entries
    .map((thing) => ({ thing, alike: alike(thing) }))
    .toSorted((one, other) => other.alike - one.alike)
  return best && best.alike >= 0.4 ? best.thing : undefined
}

/**
 * Returns the similarity of two names, from 0 to 1. It depends on the pairs of neighboring letters that both names
 * contain.
 */
function likeness(one: string, other: string): number {
  const [left, right] = [pairsOf(one), pairsOf(other)]
  return (2 * left.intersection(right).size) / (left.size + right.size || 1)
}

const pairsOf = (name: string) => {
  const text = ` ${folded(name).slice(0, 200)} `
  return new Set(Array.from({ length: text.length - 1 }, (_, at) => text.slice(at, at + 2)))
}
