import { RRuleTemporal } from 'rrule-temporal'
import { Temporal } from 'temporal-polyfill'

const COUNTED_FROM = '1970'
const TOO_MANY = /COUNT=0*\d{4}/i
/**
 * Matches the parts of a recurrence rule that select days or weeks by their number in the year. For these parts, the
 * library generates the days of whole years, which is slow. Therefore the server limits the use of these parts.
 */
const OF_WHOLE_YEARS = /BY(YEARDAY|WEEKNO)=/gi
const YEARLY = /FREQ=YEARLY/i
const BY_PLACE = /BYSETPOS=/i
const BY_PLACE_IN_MONTHS = /FREQ=MONTHLY|BYMONTH=/i

/**
 * To find a date, the library steps through the periods of a recurrence rule, such as its weeks. The server refuses a
 * rule that needs more than this number of steps to reach a date in the year 2100.
 */
const MOST_PERIODS = 2_000
const MUCH_LATER = Temporal.ZonedDateTime.from('2100-01-01T00:00[UTC]')

/**
 * Whether the server accepts the recurrence rule of a class. A class takes place at most once a day, and the server
 * must be able to compute its days quickly for any date. RFC 5545 allows numbered days and weeks of the year only in
 * yearly rules. For a rule with a `COUNT`, the server must also be able to count quickly from the first day.
 */
export function isRule(rrule: string, from: string) {
  if (/FREQ=(SECONDLY|MINUTELY|HOURLY)|BY(HOUR|MINUTE|SECOND)=[^;]*,|RSCALE=|[\r\n]/i.test(rrule)) return false
  const isByPlace = BY_PLACE.test(rrule)
  const ofWholeYears = rrule.match(OF_WHOLE_YEARS)?.length ?? 0
  if (ofWholeYears > 1 || (ofWholeYears > 0 && (isByPlace || !YEARLY.test(rrule)))) return false
  const isHardToCount = ofWholeYears > 0 || TOO_MANY.test(rrule) || (isByPlace && !BY_PLACE_IN_MONTHS.test(rrule))
  if (/COUNT=/i.test(rrule) && (isHardToCount || from < COUNTED_FROM)) return false
  try {
    const rule = new RRuleTemporal({
      rruleString: `DTSTART:${from.replaceAll('-', '')}T000000Z\nRRULE:${rrule}`,
      maxIterations: MOST_PERIODS,
    })
    return Array.isArray(rule.between(MUCH_LATER, MUCH_LATER.add({ days: 1 })))
  } catch {
    return false
  }
}
