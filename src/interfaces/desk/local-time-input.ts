import { instantOf, isCalendarDay, rfc3339 } from '../../infra/time/time-zone.ts'

const LOCAL_TIME = 'YYYY-MM-DDThh:mm'.length

/** Formats an instant as the value of an HTML field of type `datetime-local`, such as `2026-12-01T10:15`. */
export const toLocalInput = (zone: string, instant: number): string => rfc3339(zone, instant).slice(0, LOCAL_TIME)

/**
 * Converts the value of an HTML field of type `datetime-local` to an instant. Returns undefined if the value is
 * invalid.
 */
export function readLocalInput(zone: string, text: string): number | undefined {
  const local = text.length === LOCAL_TIME ? Date.parse(`${text}Z`) : Number.NaN
  return Number.isNaN(local) ? undefined : instantOf(zone, local)
}

/** Returns the text if it is a calendar day, such as `2026-12-01`. Returns undefined for other texts. */
export const readDay = (text: string | null): string | undefined =>
  text !== null && isCalendarDay(text) ? text : undefined
