import { languageName } from '../../../infra/i18n/language-names.ts'
import type { Localizer } from '../../../infra/i18n/localizer.ts'
import { isCalendarDay } from '../../../infra/time/time-zone.ts'
import { asRecord } from '../../../infra/util/object-members.ts'
import { catalogText, DAYS, labelOf, valueLabel } from './field-labels.ts'

/**
 * Splits a path in the business definition into its parts. For example, `services[svc_color].name` becomes `services`,
 * `[svc_color]` and `name`. A part in brackets is the key of a list entry.
 */
export const pathParts = (path: string): string[] => [...path.matchAll(/[^.[\]]+|\[[^\]]*\]/g)].map(([part]) => part)

/**
 * Converts a path in the business definition to a path in the form. The form path has the position of a list entry
 * instead of its id. `start` is the path of the object that the form edits. Returns undefined if the path is outside of
 * this object.
 */
export function formPath(path: string, start: string, value: unknown): string | undefined {
  if (!path.startsWith(start)) return undefined
  let at = value
  const names = pathParts(path.slice(start.length)).map((part) => {
    const name = part.replace(/^\[|\]$/g, '')
    const index = Array.isArray(at) ? at.findIndex((one) => asRecord(one).id === name) : -1
    const key = index === -1 ? name : String(index)
    at = Array.isArray(at) ? at[Number(key)] : asRecord(at)[key]
    return key
  })
  return names.join('.')
}

/**
 * Describes a path in the business definition for people, with the labels of the form fields. A part of the path in
 * brackets is the key of a list entry.
 */
export const pathText = (path: string, localizer: Localizer): string => {
  const parts = pathParts(path)
  const translations = parts.indexOf('localized')
  return parts
    .map((part, at) => {
      // The name of the language shows that the text is a translation.
      if (at === translations && parts.length > at + 1) return ''
      if (translations !== -1 && at === translations + 2) return localizer.isolate(languageName(part, localizer.locale))
      return part.startsWith('[')
        ? localizer.isolate(thingText(part.slice(1, -1), localizer))
        : labelOf(part, localizer)
    })
    .filter(Boolean)
    .join(' › ')
}

/**
 * Returns a readable text for the key of a list entry in the business definition. Formats dates, and translates
 * weekdays and known values. Returns all other keys unchanged.
 */
const thingText = (thing: string, localizer: Localizer): string => {
  if (isCalendarDay(thing)) return dateText(thing, localizer)
  const words = thing.split(' ')
  const named = words.map((word) =>
    DAYS.some((day) => day === word) ? valueLabel(word, localizer) : catalogText(`setup.is.${word}`, localizer),
  )
  return named.every((one) => one !== undefined) ? localizer.list(named) : thing
}

export const dateText = (date: string, localizer: Localizer): string =>
  localizer.dates('UTC', { dateStyle: 'medium' }).format(new Date(date))

/**
 * Describes a path in the business definition that contains positions of list entries. The path counts positions from
 * 0, and the text counts positions from 1.
 */
export const countedPathText = (path: string, localizer: Localizer): string =>
  pathText(
    path.replace(/\[(\d+)\]/g, (_, index) => `[${Number(index) + 1}]`),
    localizer,
  )
