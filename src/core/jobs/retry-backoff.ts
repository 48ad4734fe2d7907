import { MINUTE, SECOND } from '../../infra/time/time-units.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import type { Work } from './queue-worker.ts'

/** The maximum number of concurrent requests to an external service, while the service does not answer. */
const AT_ONCE_AFTER_FAILURE = 2
const MAX_PAUSE_MS = MINUTE

/**
 * Backoff for requests to an external service. After a failure, the worker pauses, and each further failure doubles the
 * pause. After a pause, the worker sends only a few requests at the same time. The first answer ends the backoff.
 */
export function makeBackoff(atOnce: number, clock = () => performance.now()) {
  let failures = 0
  let restingUntil = 0
  return {
    atOnce,
    /**
     * Returns how many requests to the external service may start now. `places` is the number of requests that the
     * worker could start without a failure.
     */
    room(places: number): number {
      if (clock() < restingUntil) return 0
      return failures === 0 ? places : Math.max(0, places - (atOnce - AT_ONCE_AFTER_FAILURE))
    },
    answered() {
      failures = 0
      restingUntil = 0
    },
    /**
     * Counts a failed request. Failures during a pause do not count, because concurrent requests often fail together.
     */
    unanswered() {
      if (clock() < restingUntil) return
      restingUntil = clock() + Math.min(MAX_PAUSE_MS, SECOND * 2 ** failures)
      failures++
    },
  }
}

export type Backoff = ReturnType<typeof makeBackoff>

/**
 * Creates the queue functions of a worker with backoff. If the clock of this machine is wrong, the worker takes no
 * rows, because the clock decides which rows are due.
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
