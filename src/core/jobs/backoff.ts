import { MINUTE, SECOND } from '../../infra/time/units.ts'
import type { Dependencies } from '../../protocol/dependencies.ts'
import type { Work } from './worker.ts'

/** Most requests at once to a service that did not answer the last time. */
const AT_ONCE_AFTER_FAILURE = 2
const MAX_PAUSE_MS = MINUTE

/**
 * Backoff for requests to an external service. While the service answers, the worker uses all places. After a failure it
 * pauses, doubling the pause each time, and then sends only a few requests at once. One answer ends the backoff.
 */
export function makeBackoff(atOnce: number, clock = () => performance.now()) {
  let failures = 0
  let restingUntil = 0
  return {
    atOnce,
    /** How many more requests may start when this many places are free. */
    room(places: number): number {
      if (clock() < restingUntil) return 0
      return failures === 0 ? places : Math.max(0, places - (atOnce - AT_ONCE_AFTER_FAILURE))
    },
    answered() {
      failures = 0
      restingUntil = 0
    },
    /** Failures during the pause do not count: requests that ran together are one failure. */
    unanswered() {
      if (clock() < restingUntil) return
      restingUntil = clock() + Math.min(MAX_PAUSE_MS, SECOND * 2 ** failures)
      failures++
    },
  }
}

export type Backoff = ReturnType<typeof makeBackoff>

/**
 * The `atOnce` and `take` of a `Work` under this backoff. It takes nothing while the server's clock is wrong, since that
 * clock decides which items are due.
 */
export const takeWithBackoff = <Item>(
  pace: Backoff,
  { clock, clockFault }: Dependencies<'clock' | 'clockFault'>,
  take: (most: number, now: Date) => Promise<Item[]>,
): Pick<Work<Item>, 'atOnce' | 'take'> => ({
  atOnce: pace.atOnce,
  async take(places) {
    const most = clockFault() === undefined ? pace.room(places) : 0
    return most > 0 ? take(most, clock()) : []
  },
})
