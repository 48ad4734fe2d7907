import { instantOf, isCalendarDay, written } from '../../infra/time/zone.ts'

const LOCAL_TIME = 'YYYY-MM-DDThh:mm'.length

/** The value of a `datetime-local` field. */
export const localText = (zone: string, instant: number): string => written(zone, instant).slice(0, LOCAL_TIME)

/** Reads the value of a `datetime-local` field; undefined if it is invalid. */
export function instantSaid(zone: string, text: string): number | undefined {
  const local = text.length === LOCAL_TIME ? Date.parse(`${text}Z`) : Number.NaN
  return Number.isNaN(local) ? undefined : instantOf(zone, local)
}

/** The text, if it is a calendar day. */
export const daySaid = (text: string | null): string | undefined =>
  text !== null && isCalendarDay(text) ? text : undefined
