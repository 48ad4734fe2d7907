import { parse } from 'yaml'
import { parseAmount } from '../../../infra/i18n/format-amounts.ts'
import { asRecord } from '../../../infra/util/object-members.ts'
import type { Schema } from '../../../protocol/json-schemas.ts'
import { isRequired, itemsOf, membersOf, resolved } from './definition-schema.ts'
import { readDuration } from './duration-units.ts'
import { kindOf } from './field-kinds.ts'
import { idFor } from './id-from-name.ts'

export interface FormReading {
  form: FormByName
  currency: string
  locale: string
  /** The languages of the texts, without the language of the business. */
  languages: readonly string[]
  /** The number of characters of free text (YAML) in the form that the server may still parse. */
  free: { left: number }
}

type FormByName = Pick<URLSearchParams, 'get' | 'getAll'>

/**
 * Indexes the fields of a form by name. A form can have thousands of fields. Without the index, each lookup would
 * search through all fields.
 */
export function byName(form: URLSearchParams): FormByName {
  const fieldsByName = Map.groupBy(form, ([name]) => name)
  return {
    get: (name) => fieldsByName.get(name)?.[0]?.[1] ?? null,
    getAll: (name) => fieldsByName.get(name)?.map(([, value]) => value) ?? [],
  }
}

/**
 * A property of the business definition that the server reads from the form. `path` is the name of the form field.
 * `before` is the value of the property before the submission.
 */
export interface Place {
  path: string
  before: unknown
  /**
   * Whether the business definition must contain the property. If so, an empty form field does not remove the property.
   */
  isNeeded: boolean
}

export const within = (path: string, name: string) => (path === '' ? name : `${path}.${name}`)

/**
 * Reads an object of the business definition from the form. A value that the server cannot read stays a text, and the
 * later validation refuses this text with a message.
 */
export function readMembers(
  schema: Schema,
  { path, before, isNeeded }: Place,
  reading: FormReading,
): object | undefined {
  const old = asRecord(before)
  const members = membersOf(schema).flatMap(([name, member]): [string, unknown][] => {
    const place = {
      path: within(path, name),
      before: old[name],
      isNeeded: isNeeded && isRequired(schema, name),
    }
    const surroundings = { title: schema.title, type: reading.form.get(within(path, 'type')) }
    const value = readValue({ name, schema: resolved(member, old[name]) }, place, surroundings, reading)
    return value === undefined ? [] : [[name, value]]
  })
  return members.some(([name]) => name !== 'id') || isNeeded ? Object.fromEntries(members) : undefined
}

function readValue(
  { name, schema }: { name: string; schema: Schema },
  place: Place,
  surroundings: { title: unknown; type: unknown },
  reading: FormReading,
): unknown {
  const { form, currency, locale } = reading
  const { path, before } = place
  const text = textIn(form, path) ?? ''
  const kind = kindOf(name, schema, surroundings)
  if (kind === 'members') return readMembers(schema, place, reading)
  if (kind === 'translations') return readTranslations(place, reading)
  if (kind === 'rows') return listed(readRows(itemsOf(schema), place, reading), place)
  if (kind === 'ticks') return listed(inOrder(form.getAll(path), before), place)
  if (kind === 'reminders') return readReminders(schema, place, reading)
  if (kind === 'lines') {
    const lines = text.split('\n').map((line) => line.trim())
    return asWritten(lines.filter(Boolean), place)
  }
  if (text === '') return undefined
  if (kind === 'length') return readDuration(text, form.get(`${path}:unit`) ?? '', before)
  if (kind === 'truth') return text === 'true'
  if (kind === 'money') return parseAmount(text, currency, locale) ?? text
  if (kind === 'number') return Number.isFinite(Number(text)) ? Number(text) : text
  return kind === 'free' ? readFree(text, reading) : text
}

const textIn = (form: FormByName, path: string): string | undefined => form.get(path)?.replaceAll('\r\n', '\n').trim()

/**
 * Reads the translations of a text. A field with the path of the translations names further languages that the form
 * sends along. Without this field, the form does not show the text, and its translations stay as they are.
 */
function readTranslations({ path, before }: Place, { form, languages }: FormReading): unknown {
  const others = form.get(path)
  if (others === null) return before
  const texts = [...new Set([...languages, ...others.split(' ')])].flatMap((tag): [string, string][] => {
    const text = textIn(form, within(path, tag)) ?? ''
    return text === '' ? [] : [[tag, text]]
  })
  return texts.length > 0 ? Object.fromEntries(texts) : undefined
}

const listed = (items: unknown[], { isNeeded }: Place) => (items.length > 0 || isNeeded ? items : undefined)

/** A single text stays a single text if the business definition did not contain a list before. */
const asWritten = (items: unknown[], place: Place) =>
  items.length === 1 && typeof items[0] === 'string' && typeof place.before === 'string'
    ? items[0]
    : listed(items, place)

const ZERO = 'PT0H'

/**
 * Returns the reminders that the form shows, each as an object. An empty list means "none", and a missing list means the
 * default. Therefore the form shows an empty list as a duration of zero.
 */
export function shownReminders(value: unknown): { before?: unknown; by?: unknown }[] {
  if (value === undefined) return []
  const reminders = [value].flat()
  return (reminders.length === 0 ? [ZERO] : reminders).map((one) =>
    typeof one === 'object' ? asRecord(one) : { before: one },
  )
}

/** Reads a list of reminders. Empty fields do not count. */
function readReminders({ maxItems }: Schema, place: Place, { form }: FormReading): unknown {
  const { path, before: old } = place
  const reminders = Array.from({ length: Number(maxItems ?? 0) }, (_, nth) => {
    const name = within(path, String(nth))
    const oldItem: unknown = [old].flat()[nth]
    const oldBefore = shownReminders(old)[nth]?.before
    const before = readDuration(form.get(name)?.trim() ?? '', form.get(`${name}:unit`) ?? '', oldBefore)
    const by = form.get(`${name}:by`) ?? ''
    if (before === undefined || (by === '' && typeof oldItem !== 'object')) return before
    return { before, ...(by !== '' && { by }) }
  }).filter((reminder) => reminder !== undefined)
  const isStillEmpty = Array.isArray(old) && old.length === 0 && reminders.join() === ZERO
  return isStillEmpty ? old : asWritten(reminders, place)
}

/**
 * Sorts the ids that the user chose in a form. Ids that the user chose before keep their order, because pages show
 * services in this order.
 */
function inOrder(chosen: string[], before: unknown): string[] {
  const unchanged = Array.isArray(before) ? before.filter((one) => chosen.includes(one)) : []
  return [...unchanged, ...chosen.filter((one) => !unchanged.includes(one))]
}

function readRows(schema: Schema, { path, before }: Place, reading: FormReading): object[] {
  const rows: { id?: unknown }[] = []
  // An attacker can repeat the key of a list row in the form, which would multiply the nested rows. Therefore the
  // server reads each row only once.
  for (const key of new Set(reading.form.getAll(path))) {
    const old: unknown = Array.isArray(before) ? before[Number(key)] : undefined
    const row = readMembers(schema, { path: within(path, key), before: old, isNeeded: true }, reading)
    rows.push(isRequired(schema, 'id') ? withId(path, asRecord(row), rows) : (row ?? {}))
  }
  return rows
}

/** Adds an id to a new entry of the business definition. The server makes the id from the name of the entry. */
export function withId(kind: string, item: Readonly<Record<string, unknown>>, existing: readonly { id?: unknown }[]) {
  if (item.id !== undefined) return item
  const entriesWithId = existing.flatMap(({ id }) => (typeof id === 'string' ? { id } : []))
  return { id: idFor(KINDS[kind] ?? kind, String(item.name ?? item.question ?? ''), entriesWithId), ...item }
}

const KINDS: Readonly<Record<string, string>> = {
  services: 'svc',
  locations: 'loc',
  resources: 'res',
  clients: 'client',
  intake: 'q',
}

/**
 * The maximum number of characters in one free text (YAML), and in all free texts of a form together. The time to parse
 * a text grows with the square of its nesting depth. Staff can enter longer texts on the YAML page.
 */
const MAX_FREE_TEXT_CHARACTERS = 1_000
export const MAX_FREE_CHARACTERS = 15_000
/**
 * The maximum nesting depth of brackets in a free text (YAML). For each unclosed bracket, the parser reports an error
 * that contains all outer errors. Therefore deep nesting would make the errors very large.
 */
const MAX_DEPTH = 20

function readFree(text: string, { free }: FormReading): unknown {
  free.left -= text.length
  if (text.length > MAX_FREE_TEXT_CHARACTERS || free.left < 0 || isDeep(text)) return text
  try {
    return parse(text, { logLevel: 'error' })
  } catch {
    return text
  }
}

function isDeep(text: string): boolean {
  let depth = 0
  for (const sign of text) {
    if (sign === '[' || sign === '{') depth++
    if (sign === ']' || sign === '}') depth--
    if (depth > MAX_DEPTH) return true
  }
  return false
}

/**
 * Adds a row to a list in the form, or removes a row, if the user pressed such a button. Returns the path of the list,
 * or undefined for other buttons.
 */
export function editRows(form: URLSearchParams): string | undefined {
  const [what, path = '', key = ''] = (form.get('do') ?? '').split(':')
  if (what === 'remove') form.delete(path, key)
  else if (what === 'add') form.append(path, String(Math.max(-1, ...form.getAll(path).map(Number)) + 1))
  else return undefined
  return path
}
