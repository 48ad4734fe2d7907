export { money } from '../../basics/money.ts'

/** The pages speak English; numbers and times are written the way it is usual there. */
const LOCALE = 'en-US'

const clock = (zone: string) => ({ hour: 'numeric', minute: '2-digit', timeZone: zone, timeZoneName: 'short' }) as const
const day = { weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' } as const

/** From when to when, as clocks at the business show it. */
export const formatTimeRange = (from: Date, to: Date, zone: string): string =>
  new Intl.DateTimeFormat(LOCALE, { ...day, ...clock(zone) }).formatRange(from, to)

export const formatDate = (instant: Date, zone: string): string =>
  new Intl.DateTimeFormat(LOCALE, { ...day, timeZone: zone }).format(instant)

/** A time of day, with its date unless that is today. */
export function formatUntil(instant: Date, zone: string, now: Date): string {
  const isToday = formatDate(instant, zone) === formatDate(now, zone)
  return new Intl.DateTimeFormat(LOCALE, { ...(isToday ? {} : day), ...clock(zone) }).format(instant)
}
