import { instantOf, isCalendarDay, rfc3339 } from '../../infra/time/zone.ts'

const LOCAL_TIME = 'YYYY-MM-DDThh:mm'.length

/** The value of a `datetime-local` field. */
export const toLocalInput = (zone: string, instant: number): string => rfc3339(zone, instant).slice(0, LOCAL_TIME)

/** Reads the value of a `datetime-local` field; undefined if it is invalid. */
export function readLocalInput(zone: string, text: string): number | undefined {
  const local = text.length === LOCAL_TIME ? Date.parse(`${text}Z`) : Number.NaN
  return Number.isNaN(local) ? undefined : instantOf(zone, local)
}

/** The text, if it is a calendar day. */
export const readDay = (text: string | null): string | undefined =>
  text !== null && isCalendarDay(text) ? text : undefined
