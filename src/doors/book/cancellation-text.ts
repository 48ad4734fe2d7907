import type { Speech } from '../../languages/speech.ts'
import { momentText } from '../../languages/times.ts'
import type { PoliciesDefinition } from '../../protocol/types.generated.ts'
import { secondsOf } from '../../time/duration.ts'

/** Until when canceling is free, and what it costs then: known before anybody books. */
export function cancellationText(
  {
    allowed,
    free_cancellation_until: free,
    late_cancellation_fee: fee = 0,
    no_cancellation_after: last,
  }: PoliciesDefinition['cancellation'],
  { starts, zone, currency, now }: { starts: Date; zone: string; currency: string; now: Date },
  speech: Speech,
): string {
  const { say, money } = speech
  const ahead = (duration: string) => new Date(starts.getTime() - secondsOf(duration) * 1000)
  const told = (instant: Date) => momentText(speech, instant, zone)
  const isTooLate = last !== undefined && ahead(last) <= now
  if (!allowed || isTooLate) return say('book.cancel.never')
  const ends = last === undefined ? '' : ` ${say('book.cancel.last', { time: told(ahead(last)) })}`
  if (free === undefined || fee === 0) return `${say('book.cancel.free')}${ends}`
  if (ahead(free) <= now) return `${say('book.cancel.costs', { fee: money(fee, currency) })}${ends}`
  return `${say('book.cancel.free_until', { time: told(ahead(free)), fee: money(fee, currency) })}${ends}`
}
