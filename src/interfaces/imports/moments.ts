import { instantOf, isCalendarDay, written } from '../../infra/time/zone.ts'

const WRITTEN = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?::(\d{2})(?:\.\d{1,6})?)?(Z|[+-]\d{2}(?::?\d{2})?)?$/i

/** A moment with its offset, as operations take it; a time without one is read on the clocks of the zone. Undefined where it is neither. */
export function momentOf(text: string, zone: string): string | undefined {
  const [, day, time, seconds = '00', offset] = WRITTEN.exec(text) ?? []
  if (day === undefined || time === undefined || !isCalendarDay(day)) return undefined
  if (offset === undefined) {
    const local = Date.parse(`${day}T${time}:${seconds}Z`)
    return Number.isNaN(local) ? undefined : written(zone, instantOf(zone, local))
  }
  const instant = Date.parse(`${day}T${time}:${seconds}${withMinutes(offset)}`)
  return Number.isNaN(instant) ? undefined : written(zone, instant)
}

/** Databases write whole hours without minutes. */
const withMinutes = (offset: string) =>
  offset.length === 3 ? `${offset}:00` : offset.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2')
