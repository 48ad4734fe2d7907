import type { Speech } from '../../../infra/i18n/speech.ts'
import { isCalendarDay } from '../../../infra/time/zone.ts'
import { numberFormat } from '../../../infra/util/formatters.ts'
import { recordOf } from '../../../infra/util/record-of.ts'
import type { Schema } from '../../../protocol/schemas.ts'
import { CHOSEN, type Kind, kindOf, listOf } from './kinds.ts'
import { valueLabel } from './labels.ts'
import { lengthParts } from './lengths.ts'
import { dateText, pathParts } from './path-text.ts'
import { itemsOf, membersOf, resolved } from './schema.ts'
import { itemsIn } from './sections.ts'

/** A member of the definition, by where it stands: how it is written, and what it is now. */
export interface Place {
  name: string
  schema: Schema
  kind: Kind
  value: unknown
}

/** The place a path leads to from here, as `pricing.amount`; the things of a list stand in brackets. */
export const placeAt = (path: string, from: Place): Place => pathParts(path).reduce(inside, from)

export const placeOf = (name: string, schema: Schema, value: unknown): Place => ({
  ...{ name, schema, value },
  kind: kindOf(name, schema, { title: undefined, type: undefined }),
})

/** Which of the things of a list it is does not matter to how they are written. */
function inside({ name, schema, value }: Place, part: string): Place {
  if (part.startsWith('[')) return placeOf(name, itemsOf(schema), undefined)
  const [, member = {}] = membersOf(schema).find(([known]) => known === part) ?? []
  const values = recordOf(value)
  const own = resolved(member, values[part])
  const kind = kindOf(part, own, { title: schema.title, type: values.type })
  return { name: part, schema: own, kind, value: values[part] }
}

/** What ids and sums are of. */
interface Within {
  definition: object
  currency: string
}

/** A value that is told as JSON, as the form shows it: money and lengths as people write them, ids by their names. */
export function valueText(
  json: string,
  { name, schema, kind }: Place,
  { definition, currency }: Within,
  speech: Speech,
): string {
  const value = parsed(json)
  if (kind === 'money' && typeof value === 'number') return speech.money(value, currency)
  if (kind === 'truth') return valueLabel(String(value), speech)
  if (typeof value !== 'string') return json
  const list = listOf(name, schema)
  if (list) return String(itemsIn(definition, list).find(({ id }) => id === value)?.name ?? value)
  if (kind === 'length') return lengthText(value, speech)
  if (isCalendarDay(value)) return dateText(value, speech)
  return (kind === 'choice' || kind === 'ticks') && !CHOSEN.includes(name) ? valueLabel(value, speech) : value
}

/** A long value is told in part. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

function lengthText(duration: string, { locale }: Speech): string {
  const { count, unit } = lengthParts(duration)
  return numberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(Number(count))
}
