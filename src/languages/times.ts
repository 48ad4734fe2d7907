import type { Speech } from './speech.ts'

const day = { weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' } as const
const clock = { hour: 'numeric', minute: '2-digit' } as const

/** A time of day with its zone: by its letters where the language has some (EST), else by its place, since few know GMT-5. */
function zoned(speech: Speech, zone: string, instant: Date) {
  const named = (timeZoneName: 'short' | 'shortGeneric') => ({ ...clock, timeZoneName })
  const parts = speech.dates(zone, named('short')).formatToParts(instant)
  const hasLetters = parts.some(({ type, value }) => type === 'timeZoneName' && !/\d/.test(value))
  return named(hasLetters ? 'short' : 'shortGeneric')
}

/** From when to when, as clocks at the business show it. */
export const timeRange = (speech: Speech, from: Date, to: Date, zone: string): string =>
  speech.dates(zone, { ...day, ...zoned(speech, zone, from) }).formatRange(from, to)

export const dayText = (speech: Speech, instant: Date, zone: string): string => speech.dates(zone, day).format(instant)

/** A time of day, without its day. */
export const clockText = (speech: Speech, instant: Date, zone: string): string =>
  speech.dates(zone, clock).format(instant)

/** From when to when on one day, where the day goes without saying. */
export const clockRange = (speech: Speech, { start, end }: { start: string; end: string }, zone: string): string =>
  speech.dates(zone, clock).formatRange(new Date(start), new Date(end))

/** A day and a time, for lists. */
export const momentText = (speech: Speech, instant: Date, zone: string): string =>
  speech.dates(zone, { ...day, ...zoned(speech, zone, instant) }).format(instant)

/** The same in short, for where there is little room; the zone goes without saying. */
export const shortMomentText = (speech: Speech, instant: Date, zone: string): string =>
  speech.dates(zone, { weekday: 'short', month: 'short', day: 'numeric', ...clock }).format(instant)

/** A time of day, with its date unless that is today. */
export function untilText(speech: Speech, instant: Date, zone: string, now: Date): string {
  const isToday = dayText(speech, instant, zone) === dayText(speech, now, zone)
  return speech.dates(zone, { ...(isToday ? {} : day), ...zoned(speech, zone, instant) }).format(instant)
}
