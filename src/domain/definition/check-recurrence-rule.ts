import { RRuleTemporal } from 'rrule-temporal'
import { Temporal } from 'temporal-polyfill'

const COUNTED_FROM = '1970'
const TOO_MANY = /COUNT=0*\d{4}/i
/**
 * Parts of a recurrence rule that make the library generate the days of whole years. The server limits such rules,
 * because they are slow.
 */
const OF_WHOLE_YEARS = /BY(YEARDAY|WEEKNO)=/gi
const YEARLY = /FREQ=YEARLY/i
const BY_PLACE = /BYSETPOS=/i
const BY_PLACE_IN_MONTHS = /FREQ=MONTHLY|BYMONTH=/i

/**
 * To find a class in the far future, the library may step through at most this many periods of its recurrence rule,
 * such as weeks.
 */
const MOST_PERIODS = 2_000
const MUCH_LATER = Temporal.ZonedDateTime.from('2100-01-01T00:00[UTC]')

/**
 * Whether the server accepts the recurrence rule of a class. The days of the rule must be quick to compute for any
 * date, and the class may take place only once a day. RFC 5545 allows numbered days and weeks of the year only in
 * yearly rules. The days of a rule with a count are counted from its first day, so they must be quick to find month by
 * month.
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
