import { recordOf } from '../basics/record-of.ts'
import type { BusinessDefinition } from '../protocol/types.generated.ts'

export interface Change {
  kind: 'added' | 'changed' | 'removed'
  /** Such as `service svc_color`. */
  what: string
  details: string[]
}

const LISTS = { locations: 'location', resources: 'resource', services: 'service', clients: 'client' } as const
const MOST_DETAILS = 12

/** What a new definition changes: a line for each thing added, changed or removed, with the members that differ. */
export function differences(before: BusinessDefinition | undefined, after: BusinessDefinition): Change[] {
  const old: Partial<BusinessDefinition> = before ?? {}
  const lists = Object.entries(LISTS).flatMap(([section, word]) =>
    itemChanges(word, itemsOf(old, section), itemsOf(after, section)),
  )
  const rest = (definition: object) =>
    Object.fromEntries(Object.entries(definition).filter(([name]) => !(name in LISTS)))
  return [...memberChanges(rest(old), rest(after)), ...lists]
}

const itemsOf = (definition: object, section: string): Map<string, object> => {
  // A definition that the schema let in.
  const items = (recordOf(definition)[section] ?? []) as { id: string }[]
  return new Map(items.map((item) => [item.id, item]))
}

function memberChanges(before: Record<string, unknown>, after: Record<string, unknown>): Change[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((what): Change[] => {
    if (before[what] === undefined) return [{ kind: 'added', what, details: [] }]
    if (after[what] === undefined) return [{ kind: 'removed', what, details: [] }]
    const details = leafDifferences(before[what], after[what], '')
    return details.length > 0 ? [{ kind: 'changed', what, details: shortened(details) }] : []
  })
}

function itemChanges(word: string, before: Map<string, object>, after: Map<string, object>): Change[] {
  const added = [...after.keys()].filter((id) => !before.has(id))
  const removed = [...before.keys()].filter((id) => !after.has(id))
  const kept = [...after].flatMap(([id, item]) => {
    const details = leafDifferences(before.get(id) ?? item, item, '')
    return details.length > 0 ? [{ kind: 'changed' as const, what: `${word} ${id}`, details: shortened(details) }] : []
  })
  return [
    ...added.map((id) => ({ kind: 'added' as const, what: `${word} ${id}`, details: [] })),
    ...kept,
    ...removed.map((id) => ({ kind: 'removed' as const, what: `${word} ${id}`, details: [] })),
  ]
}

/** `pricing.amount: 7500 → 7900` for each place where two values differ. */
function leafDifferences(before: unknown, after: unknown, path: string): string[] {
  if (isTree(before) && isTree(after) && Array.isArray(before) === Array.isArray(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)])
    return [...names].flatMap((name) =>
      leafDifferences(recordOf(before)[name], recordOf(after)[name], path ? `${path}.${name}` : name),
    )
  }
  return before === after ? [] : [`${path}: ${printed(before)} → ${printed(after)}`]
}

const isTree = (value: unknown) => typeof value === 'object' && value !== null

function printed(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}

const shortened = (details: string[]) =>
  details.length > MOST_DETAILS
    ? [...details.slice(0, MOST_DETAILS), `and ${details.length - MOST_DETAILS} more`]
    : details
