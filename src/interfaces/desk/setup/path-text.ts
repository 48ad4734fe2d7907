import type { Localizer } from '../../../infra/i18n/localizer.ts'
import { isCalendarDay } from '../../../infra/time/zone.ts'
import { asRecord } from '../../../infra/util/records.ts'
import { catalogText, DAYS, labelOf, valueLabel } from './labels.ts'

/** Member names, and keys of list entries in brackets. */
export const pathParts = (path: string): string[] => [...path.matchAll(/[^.[\]]+|\[[^\]]*\]/g)].map(([part]) => part)

/**
 * Translates a definition path to a form path, which counts list entries. `start` is the definition path of the form.
 * Returns undefined if the form does not contain the path.
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

/** A definition path with the labels of the forms. In the path, keys of list entries stand in brackets. */
export const pathText = (path: string, localizer: Localizer): string =>
  pathParts(path)
    .map((part) =>
      part.startsWith('[') ? localizer.isolate(thingText(part.slice(1, -1), localizer)) : labelOf(part, localizer),
    )
    .filter(Boolean)
    .join(' › ')

/** Translates days and known values. Other keys stay unchanged. */
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

/** The same for paths that count list entries from 0. The text counts them from 1. */
export const countedPathText = (path: string, localizer: Localizer): string =>
  pathText(
    path.replace(/\[(\d+)\]/g, (_, index) => `[${Number(index) + 1}]`),
    localizer,
  )
