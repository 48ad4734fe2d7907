import type { Localizer } from '../../../infra/i18n/localizer.ts'
import { type Content, html } from '../../../infra/util/html-template.ts'
import { asRecord } from '../../../infra/util/object-members.ts'
import type { ApplyBusinessDefinition } from '../../../protocol/types.generated.ts'
import { countedPathText, pathText } from './definition-path-text.ts'
import { definitionSchema } from './definition-schema.ts'
import { itemsIn, LISTS } from './definition-sections.ts'
import { labelOf, valueLabel } from './field-labels.ts'
import { placeAt, placeOf, valueText } from './format-definition-value.ts'

type Output = ApplyBusinessDefinition['output']
type Change = Output['changes'][number]

export function changeText({ kind, what, details }: Change, definition: object, localizer: Localizer): Content {
  const thing = thingNamed(what, definition)
  return html`<strong>${localizer.say(`setup.is.${kind}`)}</strong> ${titleOf(thing, localizer)}${details.map((detail) => html`<br><span class="soft">${detailText(detail, thing, localizer)}</span>`)}`
}

interface Thing {
  definition: object
  /**
   * The name of the changed property at the top level of the business definition. The property can be a list, such as
   * `services`.
   */
  section: string
  /** The id of the changed list entry, if the property is a list. `entry` is the current value of this list entry. */
  id?: string | undefined
  entry?: Readonly<Record<string, unknown>> | undefined
}

/**
 * Finds the changed part of the business definition. For example, `service svc_color` means the entry `svc_color` in
 * the list `services`. A text without an id is the name of a property.
 */
function thingNamed(what: string, definition: object): Thing {
  const [word = '', id] = what.split(' ')
  const list = [...LISTS, 'clients'].find((one) => one === `${word}s`)
  if (list === undefined || id === undefined) return { definition, section: what }
  return { definition, section: list, id, entry: itemsIn(definition, list).find((one) => one.id === id) }
}

const titleOf = ({ section, id, entry }: Thing, localizer: Localizer): Content =>
  html`${labelOf(section, localizer)}${id !== undefined && html` · <bdi>${String(entry?.name ?? id)}</bdi>`}`

/**
 * Matches the description of one change, such as `pricing.amount: 4000 → 4500`. The path before the colon contains
 * property names. It can also contain keys of list entries in brackets.
 */
const DETAIL = /^((?:(?:\w+|\[[^\]]*\])(?:\.\w+|\[[^\]]*\])*)?): (?:(.*) → (.*)|in another order)$/s

function detailText(detail: string, { definition, section, id, entry }: Thing, localizer: Localizer): Content {
  const { say, isolate } = localizer
  const more = /^and (\d+) more$/.exec(detail)
  if (more) return say('setup.change.more', { count: Number(more[1]) })
  if (detail === 'in another order') return say('setup.change.order')
  const [, path, before, after] = DETAIL.exec(detail) ?? []
  if (path === undefined) return html`<span lang="en" dir="ltr">${detail}</span>`
  const whole = placeAt(section, placeOf('', definitionSchema, definition))
  const at = placeAt(path, id === undefined ? whole : { ...placeAt('[]', whole), value: entry })
  const isWhole = [before, after].map((value) => at.kind !== 'reminders' && /^[{[]/.test(value ?? ''))
  // If the change adds or removes a whole object, the text names only the path of the object. The text does not list
  // the properties of the object.
  if (before === 'nothing' && isWhole[1]) return `${say('setup.is.added')} ${pathText(path, localizer)}`
  if (after === 'nothing' && isWhole[0]) return `${say('setup.is.removed')} ${pathText(path, localizer)}`
  const place = path !== '' && `${pathText(path, localizer)}: `
  if (before === undefined || after === undefined) return [place, say('setup.change.order')]
  const currency = String(asRecord(entry?.pricing ?? asRecord(definition).business).currency)
  const text = (value: string) =>
    value === 'nothing'
      ? say('setup.change.nothing')
      : isolate(valueText(value, at, { definition, currency }, localizer))
  return [place, say('setup.change.to', { before: text(before), after: text(after) })]
}

/**
 * Describes a warning about an unlikely value in the business definition. The text begins with the path of this value.
 */
export function warningText({ code, path, values }: Output['noted'][number], localizer: Localizer): Content {
  const days = String(values.days ?? '')
    .split(' ')
    .filter(Boolean)
  const words = days.length > 0 ? { days: localizer.list(days.map((day) => valueLabel(day, localizer))) } : values
  return html`<strong>${countedPathText(path, localizer)}</strong><br>${localizer.say(`setup.warning.${code}`, words)}`
}
