import type { Speech } from '../../../infra/i18n/speech.ts'
import { isCalendarDay } from '../../../infra/time/zone.ts'
import { recordOf } from '../../../infra/util/record-of.ts'
import { labelOf, said, valueLabel } from './labels.ts'
import { DAYS } from './weekdays.ts'

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
    const index = Array.isArray(at) ? at.findIndex((one) => recordOf(one).id === name) : -1
    const key = index === -1 ? name : String(index)
    at = Array.isArray(at) ? at[Number(key)] : recordOf(at)[key]
    return key
  })
  return names.join('.')
}

/** A definition path with the labels of the forms. In the path, keys of list entries stand in brackets. */
export const pathText = (path: string, speech: Speech): string =>
  pathParts(path)
    .map((part) =>
      part.startsWith('[') ? speech.isolate(thingText(part.slice(1, -1), speech)) : labelOf(part, speech),
    )
    .filter(Boolean)
    .join(' › ')

/** Translates days and known values. Other keys stay unchanged. */
const thingText = (thing: string, speech: Speech): string => {
  if (isCalendarDay(thing)) return dateText(thing, speech)
  const words = thing.split(' ')
  const named = words.map((word) =>
    DAYS.some((day) => day === word) ? valueLabel(word, speech) : said(`setup.is.${word}`, speech),
  )
  return named.every((one) => one !== undefined) ? speech.list(named) : thing
}

export const dateText = (date: string, speech: Speech): string =>
  speech.dates('UTC', { dateStyle: 'medium' }).format(new Date(date))

/** The same for paths that count list entries from 0. The text counts them from 1. */
export const countedPathText = (path: string, speech: Speech): string =>
  pathText(
    path.replace(/\[(\d+)\]/g, (_, index) => `[${Number(index) + 1}]`),
    speech,
  )
