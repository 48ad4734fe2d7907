import { isZone } from '../../infra/time/time-zone.ts'
import { mapHint } from './match-names-to-ids.ts'
import type { Property } from './parse-ics-lines.ts'
import { parseTime } from './parse-time.ts'

/** The error for a calendar event that the import cannot read. The message contains the reason. */
export class UnreadableEventError extends Error {}

/**
 * Returns the instant of a time in a calendar file, such as `20261201T090000Z`. A time without Z is a local time. Its
 * time zone is the zone in the file, or else the default zone.
 */
export function instantOfProperty(property: Property, usual: string): number {
  const { name, value, parameters } = property
  if (parameters.VALUE === 'DATE') throw new UnreadableEventError('It is for whole days: a booking begins at a time.')
  const text = value.trim().replace(/^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})(Z?)$/, '$1-$2-$3T$4:$5:$6$7')
  const moment = parseTime(text, zoneOf(property, usual))
  if (moment === undefined) throw new UnreadableEventError(`${name} is ${value.slice(0, 60)}, which is no moment.`)
  return Date.parse(moment)
}

export function zoneOf({ value, parameters: { TZID } }: Property, usual: string): string {
  if (value.trim().endsWith('Z')) return 'UTC'
  if (TZID !== undefined && !isZone(TZID))
    throw new UnreadableEventError(
      `Its time zone ${TZID.slice(0, 60)} is none of the world's list. ${mapHint('zone', TZID.slice(0, 60), 'Europe/Berlin')}`,
    )
  return TZID ?? usual
}
