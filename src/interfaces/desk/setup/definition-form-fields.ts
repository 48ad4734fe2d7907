import { type Content, html } from '../../../infra/util/html-template.ts'
import { asRecord } from '../../../infra/util/object-members.ts'
import type { Schema } from '../../../protocol/json-schemas.ts'
import { countFields, type FieldContext, type FieldSpec, hint, reminders, ticks } from './definition-form-input.ts'
import { isRequired, itemsOf, membersOf, resolved } from './definition-schema.ts'
import { kindOf } from './field-kinds.ts'
import { hintOf, labelOf } from './field-labels.ts'
import { within } from './read-definition-form.ts'
import { plainField, textField } from './text-in-languages.ts'

/** An object of the business definition, with its schema and its path in the form. */
export interface ObjectInForm {
  schema: Schema
  path: string
  value: unknown
  isNeeded: boolean
}

/** Whether the server refused the form value at this path, a value inside this value, or a translation of a text in it. */
const hasWrong = ({ refusedPaths, texts }: FieldContext, path: string) => {
  const translations = [...texts.values()].filter((text) => isInside(text.path, path))
  const paths = [path, ...translations.map(({ translationsPath }) => translationsPath)]
  return refusedPaths.some((refused) => paths.some((one) => isInside(refused, one)))
}

const isInside = (path: string, outer: string) => path === outer || path.startsWith(`${outer}.`)

/**
 * Whether the section of a value must be open: the server refused the value, or the user changes a list inside the
 * section.
 */
export const mustBeOpen = (showing: FieldContext, path: string) =>
  hasWrong(showing, path) || showing.editedList === path || showing.editedList?.startsWith(`${path}.`) === true

/** Renders a form field for each property of an object, except for properties that another part of the form shows. */
export function fields(object: ObjectInForm, showing: FieldContext): Content {
  const members = membersHere(object, showing).map((name) => field(memberOf(object, name, showing)))
  return html`<div class="fields">${members}</div>`
}

/** Lists the properties that the form shows inside an object. Translations stand beside the texts that they translate. */
export const membersHere = ({ schema, path }: ObjectInForm, { placedPaths }: FieldContext): string[] =>
  membersOf(schema).flatMap(([name]) => (name === 'localized' || placedPaths.has(within(path, name)) ? [] : name))

export function memberOf(object: ObjectInForm, name: string, showing: FieldContext): FieldSpec {
  const { schema, path, isNeeded } = object
  const values = asRecord(object.value)
  const [, member = {}] = membersOf(schema).find(([one]) => one === name) ?? []
  const memberSchema = resolved(member, values[name])
  return {
    name,
    label: labelOf(name, showing.localizer),
    schema: memberSchema,
    path: within(path, name),
    value: values[name],
    isNeeded: isNeeded && isRequired(schema, name),
    kind: kindOf(name, memberSchema, { title: schema.title, type: values.type }),
    hint: hintOf(name, schema, showing.localizer),
    showing,
  }
}

export function field(spec: FieldSpec): Content {
  const { path, kind, label, value, isNeeded, showing } = spec
  if (kind === 'members' && membersHere(spec, showing).length === 0) return undefined
  countFields(showing)
  if (kind === 'id') return value !== undefined && html`<input type="hidden" name="${path}" value="${String(value)}">`
  showing.ids.add(path)
  const text = showing.texts.get(path)
  if (text) return textField(spec, text)
  if (kind === 'rows') return rows(spec)
  if (kind === 'members') {
    const inside = html`${hint(spec)}${fields(spec, showing)}`
    return isNeeded
      ? html`<fieldset class="part" id="${path}"><legend>${label}</legend>${inside}</fieldset>`
      : html`<details class="part" id="${path}"${(value !== undefined || mustBeOpen(showing, path)) && html` open`}><summary>${label}</summary>${inside}</details>`
  }
  if (kind === 'ticks')
    return html`<fieldset class="ticks" id="${path}"><legend>${label}</legend>${hint(spec)}${ticks(spec)}</fieldset>`
  if (kind === 'reminders')
    return html`<fieldset class="reminders" id="${path}"><legend>${label}</legend>${hint(spec)}${reminders(spec)}</fieldset>`
  return plainField(spec)
}

/** Whether a list entry is new, or lacks a required property. */
const isIncomplete = (schema: Schema, item: unknown) => {
  const values = asRecord(item)
  const names = Object.keys(values).filter((name) => name !== 'id')
  return (
    names.length === 0 || membersOf(schema).some(([name]) => isRequired(schema, name) && values[name] === undefined)
  )
}

/**
 * Renders the form for a list of objects. Each object is a section with a remove button. The section is closed if the
 * object is complete and there are other objects. A button below the list adds an object.
 */
function rows(spec: FieldSpec): Content {
  const { label, path, value, schema, showing } = spec
  const { say } = showing.localizer
  const items = itemsOf(schema)
  const before = Array.isArray(value) ? value : []
  const each = (item: unknown, key: number): Content => {
    const { name: called } = asRecord(item)
    const title = typeof called === 'string' ? called : `${label} ${key + 1}`
    const rowPath = within(path, String(key))
    showing.ids.add(rowPath)
    const isOpen = before.length === 1 || isIncomplete(items, item) || mustBeOpen(showing, rowPath)
    return html`<details class="one" id="${rowPath}"${isOpen && html` open`}><summary>${title}</summary><div role="group" aria-label="${title}"><input type="hidden" name="${path}" value="${key}">
${fields({ schema: items, path: rowPath, value: item, isNeeded: true }, showing)}
<button class="plain" name="do" value="remove:${path}:${key}" formaction="#${path}" formnovalidate aria-label="${say('setup.remove')}: ${title}">${say('setup.remove')}</button></div></details>
`
  }
  return html`<fieldset class="part rows" id="${path}"><legend>${label}</legend>${hint(spec)}${before.map(each)}
<button class="plain" name="do" value="add:${path}" formaction="#${path}" formnovalidate aria-label="${say('setup.add')}: ${label}">${say('setup.add')}</button></fieldset>
`
}
