import { asRecord } from '../../infra/util/object-members.ts'
import { mapWithYields } from '../../infra/util/yield-to-event-loop.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'

export interface Change {
  kind: 'added' | 'changed' | 'removed'
  /** The name of the changed part of the business definition, such as `service svc_color`. */
  what: string
  details: string[]
}

const LISTS = { locations: 'location', resources: 'resource', services: 'service', clients: 'client' } as const
const MOST_DETAILS = 12

/**
 * Lists the differences between two business definitions. The list has one element for each new, changed or removed
 * object, such as a service. The comparison pauses regularly, because comparing hundreds of objects at once would block
 * the event loop.
 */
export async function differences(
  before: BusinessDefinition | undefined,
  after: BusinessDefinition,
): Promise<Change[]> {
  const old: Partial<BusinessDefinition> = before ?? {}
  const lists: Change[] = []
  for (const [section, word] of Object.entries(LISTS))
    lists.push(...(await itemChanges(word, itemsOf(old, section), itemsOf(after, section))))
  const rest = (definition: object) =>
    Object.fromEntries(Object.entries(definition).filter(([name]) => !(name in LISTS)))
  return [...(await memberChanges(rest(old), rest(after))), ...lists]
}

const itemsOf = (definition: object, section: string): Map<string, object> => {
  // The server has already validated the business definition, so each object in these lists has an id.
  const items = (asRecord(definition)[section] ?? []) as { id: string }[]
  return new Map(items.map((item) => [item.id, item]))
}

async function memberChanges(before: Record<string, unknown>, after: Record<string, unknown>): Promise<Change[]> {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  const changes = await mapWithYields(names, (name): Change[] => {
    if (before[name] === undefined) return [{ kind: 'added', what: name, details: [] }]
    if (after[name] === undefined) return [{ kind: 'removed', what: name, details: [] }]
    const details = leafDifferences(before[name], after[name], '')
    return details.length > 0 ? [{ kind: 'changed', what: name, details: shortened(details) }] : []
  })
  return changes.flat()
}

async function itemChanges(word: string, before: Map<string, object>, after: Map<string, object>): Promise<Change[]> {
  const added = [...after.keys()].filter((id) => !before.has(id))
  const removed = [...before.keys()].filter((id) => !after.has(id))
  const changed = await mapWithYields(after, ([id, item]) => {
    const details = leafDifferences(before.get(id) ?? item, item, '')
    return details.length > 0 ? [{ kind: 'changed' as const, what: `${word} ${id}`, details: shortened(details) }] : []
  })
  return [
    ...added.map((id) => ({ kind: 'added' as const, what: `${word} ${id}`, details: [] })),
    ...changed.flat(),
    ...removed.map((id) => ({ kind: 'removed' as const, what: `${word} ${id}`, details: [] })),
  ]
}

/** Lists the differences between two values, such as `pricing.amount: 7500 → 7900`. */
function leafDifferences(before: unknown, after: unknown, path: string): string[] {
  if (Array.isArray(before) && Array.isArray(after)) return listDifferences(byName(before), byName(after), path)
  if (isTree(before) && isTree(after) && Array.isArray(before) === Array.isArray(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)])
    return [...names].flatMap((name) =>
      leafDifferences(asRecord(before)[name], asRecord(after)[name], path ? `${path}.${name}` : name),
    )
  }
  if (isListedSeparately(path)) {
    const none = Array.isArray(before ?? after) ? [] : {}
    if (before === undefined && isTree(after)) return leafDifferences(none, after, path)
    if (after === undefined && isTree(before)) return leafDifferences(before, none, path)
  }
  return before === after ? [] : [`${path}: ${printed(before)} → ${printed(after)}`]
}

/**
 * Whether the comparison lists each part of a property that one definition lacks. Otherwise an owner who adds the first
 * translation could not see its language.
 */
const isListedSeparately = (path: string) =>
  path.split('.').some((name) => name === 'localized' || name === 'languages')

/**
 * Compares two lists item by item. The function pairs items with the same name. Pairing by position would be wrong,
 * because an inserted item changes the positions of all later items.
 */
function listDifferences(before: Map<string, unknown>, after: Map<string, unknown>, path: string): string[] {
  const details = [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
    const at = isOneValue(before.get(name) ?? after.get(name)) ? path : `${path}[${name}]`
    return leafDifferences(before.get(name), after.get(name), at)
  })
  const isInOrder = [...before.keys()].join('\n') === [...after.keys()].join('\n')
  return details.length > 0 || isInOrder ? details : [path ? `${path}: in another order` : 'in another order']
}

function byName(items: readonly unknown[]): Map<string, unknown> {
  const names = new Map<string, unknown>()
  const counts = new Map<string, number>()
  const isByPlace = items.every((item) => isTree(item) && nameOf(item) === undefined)
  for (const [index, item] of items.entries()) {
    const name = isByPlace ? String(index + 1) : (nameOf(item) ?? printed(item))
    let nth = (counts.get(name) ?? 0) + 1
    while (names.has(nth === 1 ? name : `${name} #${nth}`)) nth++
    counts.set(name, nth)
    names.set(nth === 1 ? name : `${name} #${nth}`, item)
  }
  return names
}

/**
 * Returns a name by which the server recognizes an item when it compares two lists. The name is the id of the item, or
 * consists of other properties such as its days or its start. The result is undefined if the item has no such property,
 * such as a week of a rota.
 */
function nameOf(item: unknown): string | undefined {
  if (isOneValue(item)) return printed(item)
  const { id, days, rrule, from, starts, type, url } = asRecord(item)
  const known = [id, ...(id === undefined ? [days, rrule, from, starts, type, url] : [])]
  return known.flatMap((one) => one ?? []).join(' ') || undefined
}

const isTree = (value: unknown) => typeof value === 'object' && value !== null

/** Whether the comparison treats an item of a list as one value. A reminder with its channel is such a value. */
const isOneValue = (item: unknown) => !isTree(item) || asRecord(item).before !== undefined

function printed(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}

const shortened = (details: string[]) =>
  details.length > MOST_DETAILS
    ? [...details.slice(0, MOST_DETAILS), `and ${details.length - MOST_DETAILS} more`]
    : details
