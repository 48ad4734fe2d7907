import { RRuleTemporal } from 'rrule-temporal'
import { Temporal } from 'temporal-polyfill'

const COUNTED_FROM = '1970'
const HARD_TO_COUNT = /BY(YEARDAY|WEEKNO)=|COUNT=0*\d{4}/i
const isOfWeeksByPlace = (rrule: string) => /FREQ=(DAILY|WEEKLY)/i.test(rrule) && /BYSETPOS=/i.test(rrule)

/** By which it is tried whether a rule can still be reckoned: a count is counted from the first time on. */
const MUCH_LATER = Temporal.ZonedDateTime.from('2100-01-01T00:00[UTC]')

/**
 * Nothing takes place more often than daily, not by several hours of a day either; and no other calendar than that of RFC
 * 5545 is reckoned with (RFC 7529), which takes hundreds of times as long. What is counted is counted from the first on, one
 * by one: so there are not too many before, nor days that are found only by going through whole years, nor such as the eighth of
 * a week, of which none is ever found.
 */
export function isRule(rrule: string, from: string) {
  if (/FREQ=(SECONDLY|MINUTELY|HOURLY)|BY(HOUR|MINUTE|SECOND)=[^;]*,|RSCALE=|[\r\n]/i.test(rrule)) return false
  const isCounted = /COUNT=/i.test(rrule)
  if (isCounted && (HARD_TO_COUNT.test(rrule) || isOfWeeksByPlace(rrule) || from < COUNTED_FROM)) return false
  try {
    const rule = new RRuleTemporal({ rruleString: `DTSTART:${from.replaceAll('-', '')}T000000Z\nRRULE:${rrule}` })
    return Array.isArray(rule.between(MUCH_LATER, MUCH_LATER.add({ days: 1 })))
  } catch {
    return false
  }
}
