import { type Content, html } from '../../../infra/util/html-template.ts'
import { asRecord } from '../../../infra/util/object-members.ts'
import { field, memberOf, membersHere, mustBeOpen, type ObjectInForm } from './definition-form-fields.ts'
import type { FieldContext, FieldSpec } from './definition-form-input.ts'
import { labelOf } from './field-labels.ts'

/**
 * A part of a form. It lists its fields by their paths in the edited object, such as `policies.cancellation`. An object
 * shows the fields of all its properties, except for properties that a form part lists separately.
 */
export interface FormPart {
  /** The heading of the part. A form with only one part needs no heading. */
  heading?: 'basics' | 'times' | 'place' | 'price' | 'rules'
  /** The fields that are always visible, because most businesses need them. */
  shown: readonly PlacedField[]
  /**
   * The fields in a closed section of this part. In the first part, this section also has the fields that no part
   * lists.
   */
  collapsed: readonly PlacedField[]
}

/**
 * The path of a field. If the usual label of the path is unclear outside of its object, the second item names another
 * label.
 */
type PlacedField = string | readonly [path: string, label: string]

export const pathsIn = (parts: readonly FormPart[]): Set<string> =>
  new Set(parts.flatMap(({ shown, collapsed }) => [...shown, ...collapsed].map(pathOf)))

const pathOf = (placed: PlacedField) => (typeof placed === 'string' ? placed : placed[0])

/** Renders the parts of a form, with links to the parts at the top. */
export function formParts(parts: readonly FormPart[], object: ObjectInForm, showing: FieldContext): Content {
  const { say } = showing.localizer
  const headings = parts.flatMap(({ heading }) => heading ?? [])
  return html`${headings.length > 0 && html`<nav class="parts" aria-label="${say('setup.parts')}">${headings.map((one) => html`<a href="#${one}">${say(`setup.part.${one}`)}</a>`)}</nav>`}${parts.map(
    ({ heading, shown, collapsed }, nth) => {
      const others = nth === 0 ? membersHere(object, showing) : []
      const inside = html`<div class="fields">${shown.map((one) => field(specAt(one, object, showing)))}</div>
${collapsedFields([...collapsed, ...others].map((one) => specAt(one, object, showing)))}`
      return heading === undefined
        ? inside
        : html`<section class="form-part" aria-labelledby="${heading}"><h2 id="${heading}">${say(`setup.part.${heading}`)}</h2>${inside}</section>
`
    },
  )}`
}

function specAt(placed: PlacedField, object: ObjectInForm, showing: FieldContext): FieldSpec {
  const [path, label] = typeof placed === 'string' ? [placed] : placed
  const [first = '', ...names] = path.split('.')
  const spec = names.reduce((outer, name) => memberOf(outer, name, showing), memberOf(object, first, showing))
  return label === undefined ? spec : { ...spec, label: labelOf(label, showing.localizer) }
}

/** Renders a closed section of a form. The heading of the section names the fields that have a value. */
function collapsedFields(specs: readonly FieldSpec[]): Content {
  const [first] = specs
  if (!first) return undefined
  const { localizer } = first.showing
  const used = specs.filter(hasValue).map(({ label }) => label)
  const isOpen = specs.some(({ path, showing }) => mustBeOpen(showing, path))
  return html`<details class="more-fields"${isOpen && html` open`}><summary>${localizer.say('setup.more')}${used.length > 0 && html` <span class="soft">${localizer.list(used)}</span>`}</summary><div class="fields">${specs.map(field)}</div></details>
`
}

function hasValue(spec: FieldSpec): boolean {
  const { kind, value, showing } = spec
  if (kind === 'members') return membersHere(spec, showing).some((name) => asRecord(value)[name] !== undefined)
  return value !== undefined && kind !== 'id'
}
