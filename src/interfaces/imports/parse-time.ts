import { instantOf, isCalendarDay, rfc3339 } from '../../infra/time/time-zone.ts'

const WRITTEN = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?::(\d{2})(?:\.\d{1,6})?)?(Z|[+-]\d{2}(?::?\d{2})?)?$/i

/**
 * Converts a text in an import file to a time with a UTC offset. A text without an offset is a local time in the zone.
 * Returns undefined if the text is not a time.
 */
export function parseTime(text: string, zone: string): string | undefined {
  const [, day, time, seconds = '00', offset] = WRITTEN.exec(text) ?? []
  if (day === undefined || time === undefined || !isCalendarDay(day)) return undefined
  if (offset === undefined) {
    const local = Date.parse(`${day}T${time}:${seconds}Z`)
    return Number.isNaN(local) ? undefined : rfc3339(zone, instantOf(zone, local))
  }
  const instant = Date.parse(`${day}T${time}:${seconds}${withMinutes(offset)}`)
  return Number.isNaN(instant) ? undefined : rfc3339(zone, instant)
}

/** Completes a UTC offset: `+02` becomes `+02:00`. Databases often write an offset of whole hours without minutes. */
const withMinutes = (offset: string) =>
  offset.length === 3 ? `${offset}:00` : offset.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2')
