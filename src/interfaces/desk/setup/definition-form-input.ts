import { stringify } from 'yaml'
import type { OfferedLanguages } from '../../../domain/definition/offered-languages.ts'
import type { TranslatableText } from '../../../domain/definition/translatable-texts.ts'
import { formatAmount } from '../../../infra/i18n/format-amounts.ts'
import { directionOfTag, languageName } from '../../../infra/i18n/language-names.ts'
import { languages } from '../../../infra/i18n/languages.ts'
import type { Localizer } from '../../../infra/i18n/localizer.ts'
import { type Content, html } from '../../../infra/util/html-template.ts'
import type { Schema } from '../../../protocol/json-schemas.ts'
import { itemsOf, valuesOf } from './definition-schema.ts'
import { durationParts, UNITS, type Unit, unitName } from './duration-units.ts'
import { type Kind, listOf } from './field-kinds.ts'
import { labelOf, valueLabel } from './field-labels.ts'
import { currencies, zones } from './guess-zone-and-currency.ts'
import { shownReminders, within } from './read-definition-form.ts'
import { REMINDER_CHANNELS, reminderChannel } from './reminder-channels.ts'

/** An entry of a list in the business definition. Only people, rooms and items have a type. */
interface ListedEntry {
  id: string
  name: string
  type?: string | undefined
}

export interface FieldContext {
  localizer: Localizer
  currency: string
  listed(list: 'locations' | 'resources' | 'services'): ListedEntry[]
  /** The number of fields and checkboxes that the server may still render in this form. */
  remaining: { left: number }
  /** The paths of the form values that the server refused, such as `pricing.amount`. */
  refusedPaths: readonly string[]
  /**
   * The paths of the fields that the form parts place explicitly. An object that contains such a field does not show
   * this field again.
   */
  placedPaths: ReadonlySet<string>
  /**
   * The path of the list to which the user has just added an entry, or from which the user has just removed one.
   * Otherwise undefined.
   */
  editedList: string | undefined
  /** The ids of the form fields that the server has rendered so far. */
  ids: Set<string>
  languages: OfferedLanguages
  /** The translatable texts of the edited object, by the paths of their fields. */
  texts: ReadonlyMap<string, TranslatableText>
}

/**
 * The maximum number of fields of one form. People cannot use longer forms, and browsers become slow. A longer form
 * would also block the server's event loop during rendering.
 */
export const MAX_FIELDS = 5_000

export class TooManyFieldsError extends Error {}

export function countFields({ remaining }: FieldContext, count = 1) {
  remaining.left -= count
  if (remaining.left < 0) throw new TooManyFieldsError('There are too many fields')
}

export interface FieldSpec {
  name: string
  label: string
  schema: Schema
  path: string
  value: unknown
  isNeeded: boolean
  kind: Kind
  hint: string | undefined
  showing: FieldContext
  /** The language of a translatable text. */
  language?: string
  /** The id of a note about this field. */
  note?: string | undefined
}

export const hint = ({ path, hint: text }: FieldSpec): Content =>
  text !== undefined && html`<p class="hint" id="${path}-hint">${text}</p>`

export function input(spec: FieldSpec): Content {
  const { path, label, kind, value, isNeeded, schema, showing } = spec
  const { localizer, currency } = showing
  const notes = [spec.hint !== undefined && `${path}-hint`, spec.note].filter(Boolean).join(' ')
  const described = notes !== '' && html` aria-describedby="${notes}"`
  const attributes = html` id="${path}" name="${path}"${described}${isNeeded && html` required`}${showing.refusedPaths.includes(path) && html` aria-invalid="true"`}`
  const text = value === undefined ? '' : String(value)
  const direction = textDirection(spec)
  if (kind === 'choice' || kind === 'truth' || kind === 'one')
    return html`<select${attributes}>${(!isNeeded || value === undefined) && html`<option value="">${isNeeded ? '' : unset(schema, localizer)}</option>`}${choices(spec).map(([one, says]) => html`<option value="${one}"${text === one && html` selected`}>${says}</option>`)}</select>`
  if (kind === 'length') return length({ path, label, value, usualUnit: 'minute', attributes, localizer })
  if (kind === 'long' || kind === 'lines' || kind === 'free') {
    const shownText = kind === 'lines' && Array.isArray(value) ? value.join('\n') : freeText(value, text)
    return html`<textarea${attributes}${direction} rows="${Math.min(shownText.split('\n').length + 1, 12)}">${shownText}</textarea>`
  }
  if (kind === 'money' && typeof value === 'number')
    return html`<input${attributes} inputmode="decimal" autocomplete="off" value="${formatAmount(value, currency, localizer.locale)}">`
  if (kind === 'time') return html`<input${attributes} type="time" value="${text === '24:00' ? '00:00' : text}">`
  if (kind === 'date') return html`<input${attributes} type="date" value="${text}">`
  const manner = kind === 'number' || kind === 'money' ? html` inputmode="decimal"` : direction
  return html`<input${attributes}${manner} autocomplete="off" value="${text}">`
}

/** The number of a duration, and a choice of its unit. */
function length({
  path,
  label,
  value,
  usualUnit,
  attributes,
  localizer,
}: Pick<FieldSpec, 'path' | 'label' | 'value'> & {
  usualUnit: Unit
  attributes: Content
  localizer: Localizer
}): Content {
  const { count, unit } = typeof value === 'string' ? durationParts(value) : { count: '', unit: usualUnit }
  const units = Object.keys(UNITS).filter((one): one is Unit => one !== 'second' || unit === 'second')
  return html`<div class="from-to"><input${attributes} inputmode="numeric" autocomplete="off" value="${count}"><select name="${path}:unit" aria-label="${label}, ${localizer.say('setup.unit')}">${units.map((one) => html`<option value="${one}"${one === unit && html` selected`}>${unitName(one, localizer.locale)}</option>`)}</select></div>`
}

/** The form shows fields for at least this many reminders. Empty fields do not count. */
const LEAST_REMINDERS = 3

/** The time and the channel of each reminder, and empty fields for further reminders. */
export function reminders({ path, label, value, hint: hintText, showing }: FieldSpec): Content {
  const { refusedPaths, ids, localizer } = showing
  const values = shownReminders(value)
  const count = Math.max(LEAST_REMINDERS, values.length)
  countFields(showing, count)
  return Array.from({ length: count }, (_, nth) => {
    const name = within(path, String(nth))
    const title = `${label} ${nth + 1}`
    ids.add(name)
    const { before, by } = values[nth] ?? {}
    const isWrong =
      refusedPaths.some((one) => one === name || one === within(name, 'before')) ||
      (refusedPaths.includes(path) && before !== undefined)
    const attributes = html` id="${name}" name="${name}" aria-label="${title}"${hintText !== undefined && html` aria-describedby="${path}-hint"`}${isWrong && html` aria-invalid="true"`}`
    return html`<div class="reminder">${length({ path: name, label: title, value: before, usualUnit: 'hour', attributes, localizer })}<select name="${name}:by" aria-label="${title}, ${labelOf('by', localizer)}">${REMINDER_CHANNELS.map((one) => html`<option value="${one}"${one === (by ?? '') && html` selected`}>${reminderChannel(one, localizer)}</option>`)}</select></div>`
  })
}

const textDirection = ({ language }: FieldSpec): Content =>
  language === undefined ? html` dir="auto"` : html` lang="${language}" dir="${directionOfTag(language)}"`

export const isWide = (kind: Kind) => kind === 'long' || kind === 'lines' || kind === 'free'

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

/** Returns the options of a select field. They include the current value, even if it is not one of the known values. */
function choices(spec: FieldSpec): [value: string, text: string][] {
  const known = knownChoices(spec)
  const text = spec.value === undefined ? '' : String(spec.value)
  return text === '' || known.some(([value]) => value === text) ? known : [...known, [text, text]]
}

function knownChoices({ name, kind, schema, showing }: FieldSpec): [value: string, text: string][] {
  const { localizer } = showing
  const list = listOf(name, schema)
  if (kind === 'one' && list) return showing.listed(list).map((one) => [one.id, one.name])
  if (name === 'currency') return currencies(localizer.locale)
  if (name === 'timezone') return zones().map((zone) => [zone, zone.replaceAll('_', ' ')])
  if (name === 'language') return languageChoices(localizer)
  const values = kind === 'truth' ? (schema.const === true ? ['true'] : ['true', 'false']) : valuesOf(schema)
  return values.map((one) => [one, valueLabel(one, localizer)])
}

const languageChoices = ({ locale }: Localizer): [tag: string, text: string][] =>
  Object.keys(languages).map((tag) => [tag, languageName(tag, locale)])

/** Lists the languages of the pages, and those in which the business has written texts. */
function choicesOfLanguages({ languages: { usual, others }, localizer }: FieldContext): ListedEntry[] {
  const tags = new Set([...Object.keys(languages), ...others])
  tags.delete(usual)
  return [...tags].map((id) => ({ id, name: languageName(id, localizer.locale) }))
}

function listedChoices({ name, schema, showing }: FieldSpec): ListedEntry[] {
  if (name === 'languages') return choicesOfLanguages(showing)
  const list = listOf(name, schema)
  return list
    ? showing.listed(list)
    : valuesOf(itemsOf(schema)).map((id) => ({ id, name: valueLabel(id, showing.localizer) }))
}

/** Renders a checkbox for each choice. People and rooms are in separate groups. */
export function ticks(spec: FieldSpec): Content {
  const { path, value, showing } = spec
  const choices = listedChoices(spec)
  countFields(showing, choices.length)
  const chosen: readonly unknown[] = Array.isArray(value) ? value : []
  const groups = Map.groupBy(choices, ({ type = '' }) => type)
  return [...groups].map(
    ([type, inGroup]) =>
      html`<div class="ticks-of" data-type="${type}">${inGroup.map(
        ({ id, name: text }) =>
          html`<span class="check"><input type="checkbox" id="${path}.${id}" name="${path}" value="${id}"${chosen.includes(id) && html` checked`}><label for="${path}.${id}">${text}</label></span>
`,
      )}</div>`,
  )
}
