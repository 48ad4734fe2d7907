import type { Speech } from '../../languages/speech.ts'
import { errors, ProtocolError } from '../../protocol/errors.ts'
import { HOUR, MINUTE, SECOND } from '../../time/units.ts'
import { retryAfterOf } from '../http/problem.ts'
import type { View } from '../pages/layout.ts'

/** Nobody counts what is longer in minutes: a place in line may be held for days. */
const LONGEST_IN_MINUTES = 2 * HOUR

/** Shows the form once more, with all that was written, to whoever’s network has as much as it may. */
export async function unlessTooMany<T>(
  work: () => Promise<T>,
  again: (note: string) => View,
  { say }: Speech,
): Promise<T | View> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ProtocolError) || error.code !== 'rate_limited') throw error
    const retryAfter = retryAfterOf(error) ?? 0
    const wait = retryAfter * SECOND
    const note =
      wait > LONGEST_IN_MINUTES
        ? say('book.too_many.later')
        : say('book.too_many', { minutes: Math.ceil(wait / MINUTE) })
    return { ...again(note), status: errors.rate_limited.http, retryAfter }
  }
}
