import { asRecord } from '../../../infra/util/object-members.ts'
import type { Schema } from '../../../protocol/json-schemas.ts'
import { anyOf, defaultPolicies } from './default-service-policies.ts'
import type { FormPart } from './definition-form-parts.ts'
import { definitionSchema, itemsOf, membersOf } from './definition-schema.ts'
import { serviceParts } from './service-form-parts.ts'

/** The lists of the business definition with a separate settings page for each entry. */
export const LISTS = ['services', 'resources', 'locations'] as const
export type List = (typeof LISTS)[number]

/**
 * Groups the properties of the business definition by settings section. Staff edit all properties of a group on one
 * page. Lists such as `services` are in no group, because each list entry has its own page.
 */
const GROUPS = {
  business: ['business', 'privacy'],
  hours: ['hours', 'special_hours', 'closures'],
  payments: ['payments'],
  website: ['website'],
  mails: ['mails', 'notifications', 'reminder'],
  registry: ['registry', 'catalogue'],
  clients: ['clients', 'authorization', 'limits'],
} as const

export const SECTIONS = ['business', 'hours', 'services', 'resources', 'locations'] as const
/** The settings sections that a business changes only rarely. */
export const RARE_SECTIONS = ['website', 'mails', 'payments', 'registry', 'clients', 'other'] as const
export type Section = (typeof SECTIONS)[number] | (typeof RARE_SECTIONS)[number]

export const isList = (section: Section): section is List => LISTS.some((one) => one === section)

export const sectionNamed = (name: string): Section | undefined =>
  [...SECTIONS, ...RARE_SECTIONS].find((section) => section === name)

/** Returns the parts of the form of a person, a room or another resource. A table shows its seats at once. */
const resourceParts = (type: unknown): readonly FormPart[] => [
  {
    heading: 'basics',
    shown: ['name', 'type', ...(type === 'table' ? ['seats'] : []), 'description', 'locations'],
    collapsed: [],
  },
  { heading: 'times', shown: ['hours', 'time_off'], collapsed: ['special_hours', 'rota'] },
]
const LOCATION_PARTS: readonly FormPart[] = [{ shown: ['name', 'address', 'hours'], collapsed: [] }]

const isInGroup = (name: string) => Object.values(GROUPS).some((members) => members.some((one) => one === name))

/**
 * Returns the schema of the form for a settings section, and the parts of this form. The parts can depend on the edited
 * value.
 */
export function formOfSection(section: Section, value: object = {}): { schema: Schema; parts: readonly FormPart[] } {
  const members = membersOf(definitionSchema)
  if (isList(section)) {
    const [, list = {}] = members.find(([name]) => name === section) ?? []
    return { schema: itemsOf(list), parts: partsOf(section, value) }
  }
  const inIt = (name: string): boolean =>
    section === 'other'
      ? !isInGroup(name) && !LISTS.some((one) => one === name)
      : GROUPS[section].some((one) => one === name)
  const properties = Object.fromEntries(members.filter(([name]) => inIt(name)))
  return {
    schema: { ...definitionSchema, properties },
    parts: [{ shown: Object.keys(properties), collapsed: [] }],
  }
}

function partsOf(list: List, value: object): readonly FormPart[] {
  if (list === 'services') return serviceParts(asRecord(value))
  return list === 'resources' ? resourceParts(asRecord(value).type) : LOCATION_PARTS
}

export const itemsIn = (definition: object, list: string) => {
  const items = asRecord(definition)[list]
  return Array.isArray(items) ? items.map(asRecord) : []
}

/**
 * Returns the current value of the section or list entry that a form edits. Returns undefined if no entry of the list
 * has the id.
 */
export function valueIn(definition: object, section: Section, id: string): object | undefined {
  if (!isList(section)) return definition
  if (id === NEW) return newEntry(section, definition)
  return itemsIn(definition, section).find((item) => item.id === id)
}

/** The URL contains this text instead of an id while staff enter a new list entry. */
export const NEW = 'new'

/** Returns the default values in the form of a new list entry, such as a new service. */
function newEntry(list: List, definition: object): object {
  if (list === 'resources') return { type: 'staff' }
  if (list === 'locations') return {}
  const { currency } = asRecord(asRecord(definition).business)
  const staff = itemsIn(definition, 'resources').filter(({ type }) => type === 'staff')
  return {
    type: 'appointment',
    duration: { fixed: 'PT60M' },
    pricing: { model: 'fixed', currency },
    ...(staff.length > 0 && { resources: [anyOf(staff)] }),
    channel: { type: 'at_business_location' },
    policies: defaultPolicies({ slot_interval: 'PT30M', isPaid: true }),
  }
}

/**
 * Returns a copy of the business definition with a new value for a section or a list entry. If the new value is
 * undefined, the copy does not contain the entry.
 */
export function withValue(definition: object, section: Section, id: string, value: object | undefined): object {
  if (isList(section)) {
    const items = itemsIn(definition, section)
    const isThere = items.some((item) => item.id === id)
    const newItems = value === undefined ? [] : [value]
    const list = isThere ? items.flatMap((item) => (item.id === id ? newItems : [item])) : [...items, ...newItems]
    return { ...definition, [section]: list }
  }
  const names = membersOf(formOfSection(section).schema).map(([name]) => name)
  const others = Object.entries(definition).filter(([name]) => !names.includes(name))
  // The properties keep their order, because people also read the business definition as YAML.
  const all = { ...definition, ...value }
  return Object.fromEntries(
    Object.entries(all).filter(([name]) => others.some(([other]) => other === name) || name in (value ?? {})),
  )
}
