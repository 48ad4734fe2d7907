import { languageName } from '../../../infra/i18n/language-names.ts'
import type { Localizer } from '../../../infra/i18n/localizer.ts'
import { isCalendarDay } from '../../../infra/time/time-zone.ts'
import { numberFormat } from '../../../infra/util/cached-intl-formatters.ts'
import { asRecord } from '../../../infra/util/object-members.ts'
import type { Schema } from '../../../protocol/json-schemas.ts'
import { dateText, pathParts } from './definition-path-text.ts'
import { itemsOf, membersOf, resolved } from './definition-schema.ts'
import { itemsIn } from './definition-sections.ts'
import { durationParts } from './duration-units.ts'
import { type Kind, kindOf, listOf, STANDARD_LIST_MEMBERS } from './field-kinds.ts'
import { valueLabel } from './field-labels.ts'
import { shownReminders } from './read-definition-form.ts'
import { REMINDER_CHANNELS, reminderChannel } from './reminder-channels.ts'

export interface DefinitionMember {
  name: string
  schema: Schema
  kind: Kind
  value: unknown
}

/**
 * Finds the property of the business definition at a path such as `pricing.amount`. Brackets in the path contain the
 * key of a list entry.
 */
export const placeAt = (path: string, from: DefinitionMember): DefinitionMember => pathParts(path).reduce(inside, from)

export const placeOf = (name: string, schema: Schema, value: unknown): DefinitionMember => ({
  name,
  schema,
  value,
  kind: kindOf(name, schema, { title: undefined, type: undefined }),
})

/**
 * Finds a property inside another property of the business definition. Ignores the key of a list entry, because all
 * entries have the same schema.
 */
function inside({ name, schema, value }: DefinitionMember, part: string): DefinitionMember {
  if (part.startsWith('[')) return placeOf(name, itemsOf(schema), undefined)
  const [, member = {}] = membersOf(schema).find(([known]) => known === part) ?? []
  const values = asRecord(value)
  const memberSchema = resolved(member, values[part])
  const kind = kindOf(part, memberSchema, { title: schema.title, type: values.type })
  return { name: part, schema: memberSchema, kind, value: values[part] }
}

/**
 * The data that the server needs to format a value of the business definition. For example, the definition contains the
 * name for each id.
 */
interface ValueContext {
  definition: object
  currency: string
}

/**
 * Formats a JSON value of the business definition for people. Amounts and durations become texts, and ids become names.
 */
export function valueText(
  json: string,
  { name, schema, kind }: DefinitionMember,
  { definition, currency }: ValueContext,
  localizer: Localizer,
): string {
  const value = parsed(json)
  if (kind === 'money' && typeof value === 'number') return localizer.money(value, currency)
  if (kind === 'truth') return valueLabel(String(value), localizer)
  if (kind === 'reminders' && value !== undefined)
    return localizer.list(shownReminders(value).map((one) => reminderText(one, localizer)))
  if (typeof value !== 'string') return json
  const list = listOf(name, schema)
  if (list) return String(itemsIn(definition, list).find(({ id }) => id === value)?.name ?? value)
  if (kind === 'length') return lengthText(value, localizer)
  if (isCalendarDay(value)) return dateText(value, localizer)
  if (name === 'language' || name === 'languages') return languageName(value, localizer.locale)
  return (kind === 'choice' || kind === 'ticks') && !STANDARD_LIST_MEMBERS.includes(name)
    ? valueLabel(value, localizer)
    : value
}

/**
 * Parses a JSON value in the description of a change. The description truncates a long value, and its JSON is then
 * invalid. Returns undefined for invalid JSON.
 */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

function reminderText({ before, by }: { before?: unknown; by?: unknown }, localizer: Localizer): string {
  const time = lengthText(String(before), localizer)
  const channel = REMINDER_CHANNELS.find((one) => one === by)
  return channel === undefined ? time : `${time} (${reminderChannel(channel, localizer)})`
}

function lengthText(duration: string, { locale }: Localizer): string {
  const { count, unit } = durationParts(duration)
  return numberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(Number(count))
}
