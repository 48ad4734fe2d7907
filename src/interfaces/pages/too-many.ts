import { isOfAddressee } from '../../core/limits/mail-quota.ts'
import type { Speech } from '../../infra/i18n/speech.ts'
import { HOUR, MINUTE, SECOND } from '../../infra/time/units.ts'
import type { ProtocolError } from '../../protocol/errors.ts'
import { retryAfterOf } from '../http/problem.ts'

/** Longer waits are not shown in minutes: a place in a waitlist can count for days. */
const LONGEST_IN_MINUTES = 2 * HOUR

export function tooManyText(error: ProtocolError, { say }: Speech): string {
  const wait = (retryAfterOf(error) ?? 0) * SECOND
  if (wait > LONGEST_IN_MINUTES) return say('book.too_many.later')
  return say(isOfAddressee(error) ? 'book.too_many.address' : 'book.too_many', { minutes: Math.ceil(wait / MINUTE) })
}
