import { asRecord } from '../../../infra/util/object-members.ts'
import type { Schema } from '../../../protocol/json-schemas.ts'
import { itemsOf, membersOf, valuesOf } from './definition-schema.ts'

export type Kind =
  | 'id'
  | 'choice'
  | 'truth'
  | 'number'
  | 'money'
  | 'length'
  | 'reminders'
  | 'time'
  | 'date'
  | 'text'
  | 'long'
  | 'one'
  | 'ticks'
  | 'lines'
  | 'rows'
  | 'members'
  | 'translations'
  | 'free'

const LONG_TEXT_MEMBERS: readonly string[] = [
  'description',
  'plain',
  'markdown',
  'html',
  'welcome',
  'text',
  'how',
  'instructions',
]
export const MONEY: readonly string[] = ['amount', 'fee', 'late_cancellation_fee']

/** Properties of the business definition whose values come from an international standard, such as currency codes. */
export const STANDARD_LIST_MEMBERS: readonly string[] = ['currency', 'timezone', 'language', 'languages']

/**
 * Some properties of the business definition contain ids. This table maps the name of such a property to the list that
 * defines these ids.
 */
const LISTS: Readonly<Record<string, 'locations' | 'resources' | 'services'>> = {
  location: 'locations',
  locations: 'locations',
  options: 'resources',
  resources: 'resources',
  services: 'services',
}

export const listOf = (name: string, schema: Schema) =>
  schema.type === 'string' || itemsOf(schema).type === 'string' ? LISTS[name] : undefined

/**
 * Facts about the object that contains a value of the business definition. With these facts, the page chooses the kind
 * of form field for the value.
 */
export interface Surroundings {
  title: unknown
  /**
   * The property `type` of the object. For example, the type of a deposit says whether its value is an amount or a
   * percentage.
   */
  type: unknown
}

export function kindOf(name: string, schema: Schema, surroundings: Surroundings): Kind {
  const { type, format, pattern } = schema
  if (name === 'id') return 'id'
  if (name === 'languages') return 'ticks'
  if (name === 'reminder') return 'reminders'
  if (STANDARD_LIST_MEMBERS.includes(name) || valuesOf(schema).length > 0) return 'choice'
  if (type === 'boolean' || schema.const === true) return 'truth'
  if (type === 'integer' || type === 'number') return isMoney(name, surroundings) ? 'money' : 'number'
  if (type === 'object') return kindOfObject(schema)
  if (type === 'array') return kindOfList(name, schema)
  if (type !== 'string') return 'free'
  if (format === 'duration') return 'length'
  if (format === 'date') return 'date'
  if (typeof pattern === 'string' && pattern.includes(':[0-5]')) return pattern.includes('T(') ? 'text' : 'time'
  if (listOf(name, schema)) return 'one'
  return LONG_TEXT_MEMBERS.includes(name) ? 'long' : 'text'
}

function kindOfObject(schema: Schema): Kind {
  if (membersOf(schema).length > 0) return 'members'
  return asRecord(schema.additionalProperties).type === 'string' ? 'translations' : 'free'
}

function kindOfList(name: string, schema: Schema): Kind {
  const items = itemsOf(schema)
  if (items.type === 'object') return 'rows'
  return valuesOf(items).length > 0 || listOf(name, schema) ? 'ticks' : 'lines'
}

const isMoney = (name: string, { title, type }: Surroundings): boolean =>
  MONEY.includes(name) || title === 'PriceSpan' || (title === 'DepositDefinition' && type === 'fixed')
