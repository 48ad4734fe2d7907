import { isAddresseeLimit } from '../../core/limits/mail-quota.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import { HOUR, MINUTE, SECOND } from '../../infra/time/units.ts'
import type { ProtocolError } from '../../protocol/errors.ts'
import { retryAfterOf } from '../http/problem.ts'

/** Longer waits are not shown in minutes: a place in a waitlist can count for days. */
const LONGEST_WAIT_IN_MINUTES_MS = 2 * HOUR

export function limitText(error: ProtocolError, { say }: Localizer): string {
  const wait = (retryAfterOf(error) ?? 0) * SECOND
  if (wait > LONGEST_WAIT_IN_MINUTES_MS) return say('book.too_many.later')
  return say(isAddresseeLimit(error) ? 'book.too_many.address' : 'book.too_many', { minutes: Math.ceil(wait / MINUTE) })
}
