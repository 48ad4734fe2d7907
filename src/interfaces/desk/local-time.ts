import { instantOf, isCalendarDay, written } from '../../infra/time/zone.ts'

const LOCAL_TIME = 'YYYY-MM-DDThh:mm'.length

/** As a field for a day and a time shows it. */
export const localText = (zone: string, instant: number): string => written(zone, instant).slice(0, LOCAL_TIME)

/** The instant that such a field says, if it says one. */
export function instantSaid(zone: string, text: string): number | undefined {
  const local = text.length === LOCAL_TIME ? Date.parse(`${text}Z`) : Number.NaN
  return Number.isNaN(local) ? undefined : instantOf(zone, local)
}

/** The day that an address or a form says, if there is such a day. */
export const daySaid = (text: string | null): string | undefined =>
  text !== null && isCalendarDay(text) ? text : undefined
