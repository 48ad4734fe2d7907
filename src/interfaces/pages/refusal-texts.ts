import { isAddresseeLimit } from '../../core/limits/mail-quota.ts'
import type { Localizer, Message } from '../../infra/i18n/localizer.ts'
import { HOUR, MINUTE, SECOND } from '../../infra/time/time-units.ts'
import type { ProtocolError } from '../../protocol/errors.ts'
import { retryAfterOf } from '../http/problem-details.ts'

/**
 * Maps error codes to the texts that pages show to visitors. The protocol has other texts for these codes, which are
 * for programs.
 */
const SENTENCES: ReadonlyMap<string, Message> = new Map([
  ['slot_unavailable', 'book.gone'],
  ['hold_expired', 'book.lapsed'],
  ['booking_window_violated', 'failure.window'],
  ['capacity_exceeded', 'failure.room'],
  ['service_not_found', 'failure.service'],
  ['waitlist_full', 'book.waitlist.full'],
  ['cancellation_not_allowed', 'booking.cancel.never'],
  ['reschedule_not_allowed', 'booking.move.never'],
  ['reschedule_limit_reached', 'booking.move.too_often'],
  ['offer_expired', 'waiting.over'],
  ['offer_already_accepted', 'waiting.over'],
  ['invalid_request', 'failure.unreadable.text'],
  ['content_too_large', 'failure.unreadable.text'],
])

/**
 * Returns the text that a page shows for a refusal: the reason, and what the visitor can do next. An unknown error code
 * gets a general text.
 */
export const refusalText = (code: string, { say }: Localizer, otherwise: Message = 'failure.refused.text'): string =>
  say(SENTENCES.get(code) ?? otherwise)

/**
 * If a wait is at most this many milliseconds long, a page states the wait in minutes. Longer waits can last days, for
 * example for the waitlist limit.
 */
const LONGEST_WAIT_IN_MINUTES_MS = 2 * HOUR

export function limitText(error: ProtocolError, { say }: Localizer): string {
  const wait = (retryAfterOf(error) ?? 0) * SECOND
  if (wait > LONGEST_WAIT_IN_MINUTES_MS) return say('book.too_many.later')
  return say(isAddresseeLimit(error) ? 'book.too_many.address' : 'book.too_many', { minutes: Math.ceil(wait / MINUTE) })
}
