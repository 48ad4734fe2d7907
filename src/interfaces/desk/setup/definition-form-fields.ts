import { stringify } from 'yaml'
import { formatAmount } from '../../../infra/i18n/format-amounts.ts'
import { languages } from '../../../infra/i18n/languages.ts'
import type { Localizer } from '../../../infra/i18n/localizer.ts'
import { type Content, html } from '../../../infra/util/html-template.ts'
import { asRecord } from '../../../infra/util/object-members.ts'
import type { Schema } from '../../../protocol/json-schemas.ts'
import { isRequired, itemsOf, membersOf, resolved, valuesOf } from './definition-schema.ts'
import { durationParts, UNITS, type Unit, unitName } from './duration-units.ts'
import { type Kind, kindOf, listOf } from './field-kinds.ts'
import { hintOf, labelOf, valueLabel } from './field-labels.ts'
import { currencies, zones } from './guess-zone-and-currency.ts'
import { within } from './read-definition-form.ts'

export interface FieldContext {
  localizer: Localizer
  currency: string
  listed(list: 'locations' | 'resources' | 'services'): { id: string; name: string }[]
  /** The number of fields and checkboxes that the server may still render in this form. */
  remaining: { left: number }
  /** The paths of the form values that the server refused, such as `pricing.amount`. */
  refusedPaths: readonly string[]
  /** The ids of the form fields that the server has rendered so far. */
  ids: Set<string>
}

/** Whether the server refused the form value at this path, or a value inside this value. */
const hasWrong = ({ refusedPaths }: FieldContext, path: string) =>
  refusedPaths.some((one) => one === path || one.startsWith(`${path}.`))

/**
 * The maximum number of fields of one form. People cannot use longer forms, and browsers become slow. The server would
 * also block its event loop while it renders a longer form.
 */
export const MAX_FIELDS = 5_000

export class TooManyFieldsError extends Error {}

function countFields({ remaining }: FieldContext, count = 1) {
  remaining.left -= count
  if (remaining.left < 0) throw new TooManyFieldsError('There are too many fields')
}

interface FieldSpec {
  name: string
  schema: Schema
  path: string
  value: unknown
  isNeeded: boolean
  kind: Kind
  hint: string | undefined
  showing: FieldContext
}

/**
 * Renders a form field for each member of an object. The members in the list `first` come first, and all others are in
 * a collapsed section. If the list is empty, all members are visible.
 */
export function fields(
  schema: Schema,
  { path, value, isNeeded }: { path: string; value: unknown; isNeeded: boolean },
  showing: FieldContext,
  first: readonly string[] = [],
): Content {
  const values = asRecord(value)
  const surroundings = { title: schema.title, type: values.type }
  const shown = ([name, member]: [string, Schema]): Content => {
    const inIt = resolved(member, values[name])
    const kind = kindOf(name, inIt, surroundings)
    const place = { path: within(path, name), value: values[name], isNeeded: isNeeded && isRequired(schema, name) }
    return field({ name, schema: inIt, ...place, kind, hint: hintOf(name, schema, showing.localizer), showing })
  }
  const members = membersOf(schema)
  if (first.length === 0) return html`<div class="fields">${members.map(shown)}</div>`
  const otherMembers = members.filter(([name]) => !first.includes(name))
  return html`<div class="fields">${first.flatMap((wanted) => members.filter(([name]) => name === wanted).map(shown))}</div>
<details${otherMembers.some(([name]) => hasWrong(showing, within(path, name))) && html` open`}><summary>${showing.localizer.say('setup.more')}</summary><div class="fields">${otherMembers.map(shown)}</div></details>`
}

function field(spot: FieldSpec): Content {
  countFields(spot.showing)
  const { name, path, kind, value, isNeeded, schema, showing } = spot
  const { localizer } = showing
  if (kind === 'id') return value !== undefined && html`<input type="hidden" name="${path}" value="${String(value)}">`
  showing.ids.add(path)
  if (kind === 'rows') return rows(spot)
  const label = labelOf(name, localizer)
  if (kind === 'members') {
    const inside = html`${hint(spot)}${fields(schema, { path, value, isNeeded }, showing)}`
    return isNeeded
      ? html`<fieldset class="part" id="${path}"><legend>${label}</legend>${inside}</fieldset>`
      : html`<details class="part" id="${path}"${(value !== undefined || hasWrong(showing, path)) && html` open`}><summary>${label}</summary>${inside}</details>`
  }
  if (kind === 'ticks')
    return html`<fieldset class="ticks" id="${path}"><legend>${label}</legend>${hint(spot)}${ticks(spot)}</fieldset>`
  return html`<div class="field${isWide(kind) && ' wide'}"><label for="${path}">${label}</label>${hint(spot)}${input(spot)}</div>
`
}

const hint = ({ path, hint: text }: FieldSpec): Content =>
  text !== undefined && html`<p class="hint" id="${path}-hint">${text}</p>`

function input(spot: FieldSpec): Content {
  const { name, path, kind, value, isNeeded, schema, showing } = spot
  const { localizer, currency } = showing
  const described = spot.hint !== undefined && html` aria-describedby="${path}-hint"`
  const attributes = html` id="${path}" name="${path}"${described}${isNeeded && html` required`}${showing.refusedPaths.includes(path) && html` aria-invalid="true"`}`
  const text = value === undefined ? '' : String(value)
  if (kind === 'choice' || kind === 'truth' || kind === 'one')
    return html`<select${attributes}>${(!isNeeded || value === undefined) && html`<option value="">${isNeeded ? '' : unset(schema, localizer)}</option>`}${choices(spot).map(([one, says]) => html`<option value="${one}"${text === one && html` selected`}>${says}</option>`)}</select>`
  if (kind === 'length') {
    const { count, unit } = typeof value === 'string' ? durationParts(value) : { count: '', unit: 'minute' as Unit }
    const units = Object.keys(UNITS).filter((one): one is Unit => one !== 'second' || unit === 'second')
    return html`<div class="from-to"><input${attributes} inputmode="numeric" autocomplete="off" value="${count}"><select name="${path}:unit" aria-label="${labelOf(name, localizer)}, ${localizer.say('setup.unit')}">${units.map((one) => html`<option value="${one}"${one === unit && html` selected`}>${unitName(one, localizer.locale)}</option>`)}</select></div>`
  }
  if (kind === 'long' || kind === 'lines' || kind === 'free') {
    const shownText = kind === 'lines' && Array.isArray(value) ? value.join('\n') : freeText(value, text)
    return html`<textarea${attributes} dir="auto" rows="${Math.min(shownText.split('\n').length + 1, 12)}">${shownText}</textarea>`
  }
  if (kind === 'money' && typeof value === 'number')
    return html`<input${attributes} inputmode="decimal" autocomplete="off" value="${formatAmount(value, currency, localizer.locale)}">`
  if (kind === 'time') return html`<input${attributes} type="time" value="${text === '24:00' ? '00:00' : text}">`
  if (kind === 'date') return html`<input${attributes} type="date" value="${text}">`
  const manner = kind === 'number' || kind === 'money' ? html` inputmode="decimal"` : html` dir="auto"`
  return html`<input${attributes}${manner} autocomplete="off" value="${text}">`
}

const isWide = (kind: Kind) => kind === 'long' || kind === 'lines' || kind === 'free'

const freeText = (value: unknown, text: string) =>
  typeof value === 'object' && value !== null ? stringify(value).trim() : text

/**
 * Returns the text of the select option for "no value". If the schema has a default value, the text names this default.
 */
function unset(schema: Schema, localizer: Localizer): string {
  const usual = schema.default
  if (usual === undefined) return '–'
  return localizer.say('setup.usual', { value: valueLabel(String(usual), localizer) })
}

/** Returns the options of a select field. They include the current value, even if it is not among the known values. */
function choices(spot: FieldSpec): [value: string, text: string][] {
  const known = knownChoices(spot)
  const text = spot.value === undefined ? '' : String(spot.value)
  return text === '' || known.some(([value]) => value === text) ? known : [...known, [text, text]]
}

function knownChoices({ name, kind, schema, showing }: FieldSpec): [value: string, text: string][] {
  const { localizer } = showing
  const list = listOf(name, schema)
  if (kind === 'one' && list) return showing.listed(list).map((one) => [one.id, one.name])
  if (name === 'currency') return currencies(localizer.locale)
  if (name === 'timezone') return zones().map((zone) => [zone, zone.replaceAll('_', ' ')])
  if (name === 'language') return Object.entries(languages)
  const values = kind === 'truth' ? (schema.const === true ? ['true'] : ['true', 'false']) : valuesOf(schema)
  return values.map((one) => [one, valueLabel(one, localizer)])
}

function ticks({ name, path, value, schema, showing }: FieldSpec): Content {
  const list = listOf(name, schema)
  const all: [string, string][] = list
    ? showing.listed(list).map((one) => [one.id, one.name])
    : valuesOf(itemsOf(schema)).map((one) => [one, valueLabel(one, showing.localizer)])
  countFields(showing, all.length)
  const chosen: readonly unknown[] = Array.isArray(value) ? value : []
  return all.map(
    ([one, text]) =>
      html`<span class="check"><input type="checkbox" id="${path}.${one}" name="${path}" value="${one}"${chosen.includes(one) && html` checked`}><label for="${path}.${one}">${text}</label></span>
`,
  )
}

/**
 * Renders the form for a list of objects. Each object has a frame and a remove button. A button below the list adds an
 * object.
 */
function rows(spot: FieldSpec): Content {
  const { name, path, value, schema, showing } = spot
  const { say } = showing.localizer
  const items = itemsOf(schema)
  const label = labelOf(name, showing.localizer)
  const each = (item: unknown, key: number): Content => {
    const { name: called } = asRecord(item)
    const title = typeof called === 'string' ? called : `${label} ${key + 1}`
    showing.ids.add(within(path, String(key)))
    return html`<fieldset class="one" id="${within(path, String(key))}"><legend>${title}</legend><input type="hidden" name="${path}" value="${key}">
${fields(items, { path: within(path, String(key)), value: item, isNeeded: true }, showing)}
<button class="plain" name="do" value="remove:${path}:${key}" formnovalidate aria-label="${say('setup.remove')}: ${title}">${say('setup.remove')}</button></fieldset>
`
  }
  const before = Array.isArray(value) ? value : []
  return html`<fieldset class="part rows" id="${path}"><legend>${label}</legend>${hint(spot)}${before.map(each)}
<button class="plain" name="do" value="add:${path}" formnovalidate aria-label="${say('setup.add')}: ${label}">${say('setup.add')}</button></fieldset>
`
}
