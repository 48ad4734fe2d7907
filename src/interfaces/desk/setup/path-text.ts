import type { Speech } from '../../../infra/i18n/speech.ts'
import { isCalendarDay } from '../../../infra/time/zone.ts'
import { recordOf } from '../../../infra/util/record-of.ts'
import { labelOf, said, valueLabel } from './labels.ts'
import { DAYS } from './weekdays.ts'

/** The names of a path, and what tells the things of a list apart, in brackets. */
export const pathParts = (path: string): string[] => [...path.matchAll(/[^.[\]]+|\[[^\]]*\]/g)].map(([part]) => part)

/**
 * The path in a form of a member of the definition, as a fault names it: the things of a list are counted there. A thing that has a page
 * of its own is the start of its form.
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

/** A place in the definition by the names that the forms have; what tells the things of a list apart stands in brackets. */
export const pathText = (path: string, speech: Speech): string =>
  pathParts(path)
    .map((part) =>
      part.startsWith('[') ? speech.isolate(thingText(part.slice(1, -1), speech)) : labelOf(part, speech),
    )
    .filter(Boolean)
    .join(' › ')

/** Days, and what can be chosen, have names; what else tells things apart stands as it is. */
const thingText = (thing: string, speech: Speech): string => {
  if (isCalendarDay(thing)) return dateText(thing, speech)
  const words = thing.split(' ')
  const named = words.map((word) =>
    DAYS.some((day) => day === word) ? valueLabel(word, speech) : said(`setup.is.${word}`, speech),
  )
  return named.every((one) => one !== undefined) ? speech.list(named) : thing
}

/** A date of the definition, as people write it. */
export const dateText = (date: string, speech: Speech): string =>
  speech.dates('UTC', { dateStyle: 'medium' }).format(new Date(date))

/** The same where the things of a list are counted from nothing, as programs do. */
export const countedPathText = (path: string, speech: Speech): string =>
  pathText(
    path.replace(/\[(\d+)\]/g, (_, index) => `[${Number(index) + 1}]`),
    speech,
  )
