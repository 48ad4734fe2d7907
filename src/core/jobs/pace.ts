import { MINUTE, SECOND } from '../../infra/time/units.ts'
import type { Means } from '../../protocol/means.ts'
import type { Work } from './worker.ts'

/** Most requests at once to a service that did not answer the last time. */
const WHILE_SILENT = 2
const LONGEST_REST = MINUTE

/**
 * Backoff for requests to an external service. While the service answers, the worker uses all places. After a failure it
 * pauses, doubling the pause each time, and then sends only a few requests at once. One answer ends the backoff.
 */
export function makePace(atOnce: number, clock = () => performance.now()) {
  let failures = 0
  let restingUntil = 0
  return {
    atOnce,
    /** How many more requests may start when this many places are free. */
    room(places: number): number {
      if (clock() < restingUntil) return 0
      return failures === 0 ? places : Math.max(0, places - (atOnce - WHILE_SILENT))
    },
    answered() {
      failures = 0
      restingUntil = 0
    },
    /** Failures during the pause do not count: requests that ran together are one failure. */
    unanswered() {
      if (clock() < restingUntil) return
      restingUntil = clock() + Math.min(LONGEST_REST, SECOND * 2 ** failures)
      failures++
    },
  }
}

export type Pace = ReturnType<typeof makePace>

/**
 * The `atOnce` and `take` of a `Work` under this backoff. It takes nothing while the server's clock is wrong, since that
 * clock decides which items are due.
 */
export const takenAt = <Item>(
  pace: Pace,
  { clock, clockFault }: Means<'clock' | 'clockFault'>,
  take: (most: number, now: Date) => Promise<Item[]>,
): Pick<Work<Item>, 'atOnce' | 'take'> => ({
  atOnce: pace.atOnce,
  async take(places) {
    const most = clockFault() === undefined ? pace.room(places) : 0
    return most > 0 ? take(most, clock()) : []
  },
})
