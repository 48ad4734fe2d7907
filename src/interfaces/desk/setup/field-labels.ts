import type { Localizer, Message } from '../../../infra/i18n/localizer.ts'
import { catalogueOf } from '../../../infra/i18n/text-catalogues.ts'
import { DAY } from '../../../infra/time/time-units.ts'
import { dateFormat } from '../../../infra/util/cached-intl-formatters.ts'
import type { Schema } from '../../../protocol/json-schemas.ts'

const isMessage = (name: string): name is Message => Object.hasOwn(catalogueOf('en'), name)

/** Returns the page text with this name in the reader's language. Returns undefined if no text has the name. */
export const catalogText = (name: string, { say }: Localizer): string | undefined =>
  isMessage(name) ? say(name) : undefined

/**
 * Creates a label from the name of a property that has no translation. For example, `max_reschedules` becomes "Max
 * reschedules".
 */
const plain = (name: string) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ')

export const labelOf = (name: string, localizer: Localizer): string =>
  catalogText(`setup.${name}`, localizer) ?? plain(name)

/**
 * Returns the help text for a form field. Properties with the same name can need different help texts in different
 * objects. Therefore the function first looks for a help text for the title of the object.
 */
export const hintOf = (name: string, { title }: Schema, localizer: Localizer): string | undefined =>
  catalogText(`setup.hint.${String(title)}.${name}`, localizer) ?? catalogText(`setup.hint.${name}`, localizer)

export function valueLabel(value: string, localizer: Localizer): string {
  const day = DAYS.find((one) => one === value)
  if (day) return dayNames(localizer.locale, 'short')(day)
  return catalogText(`setup.is.${value}`, localizer) ?? catalogText(`setup.channel.${value}`, localizer) ?? plain(value)
}

/** The days of the week, in the same order as in the schema of the business definition. */
export const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
type Day = (typeof DAYS)[number]

/** A date that is a Monday. The server formats this day and the next six days to get the names of the weekdays. */
const MONDAY = Date.UTC(2026, 5, 1)

export function dayNames(locale: string, weekday: 'long' | 'short' = 'long'): (day: Day) => string {
  const format = dateFormat(locale, { weekday, timeZone: 'UTC' })
  return (day) => format.format(MONDAY + DAYS.indexOf(day) * DAY)
}
