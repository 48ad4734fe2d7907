import { isOfAddressee } from '../../core/limits/mail-quota.ts'
import type { Speech } from '../../infra/i18n/speech.ts'
import { HOUR, MINUTE, SECOND } from '../../infra/time/units.ts'
import type { ProtocolError } from '../../protocol/errors.ts'
import { retryAfterOf } from '../http/problem.ts'

/** Nobody counts what is longer in minutes: a place in line may be held for days. */
const LONGEST_IN_MINUTES = 2 * HOUR

/** What whoever has as much as they may is told: of what it is too much, and when there is room again. */
export function tooManyText(error: ProtocolError, { say }: Speech): string {
  const wait = (retryAfterOf(error) ?? 0) * SECOND
  if (wait > LONGEST_IN_MINUTES) return say('book.too_many.later')
  return say(isOfAddressee(error) ? 'book.too_many.address' : 'book.too_many', { minutes: Math.ceil(wait / MINUTE) })
}
