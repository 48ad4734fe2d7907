import { MINUTE, SECOND } from '../../infra/time/units.ts'
import type { Means } from '../../protocol/means.ts'
import type { Work } from './worker.ts'

/** How many are asked at once of somebody who did not answer the last time. */
const WHILE_SILENT = 2
const LONGEST_REST = MINUTE

/**
 * How much is asked at once of one who is outside and may not answer: as much as there may be while they do, and then a few,
 * after a rest that becomes longer. What waits keeps its place meanwhile, and goes on as soon as one is answered.
 */
export function makePace(atOnce: number, clock = () => performance.now()) {
  let failures = 0
  let restingUntil = 0
  return {
    atOnce,
    /** How many more may be begun where there are places for so many. */
    room(places: number): number {
      if (clock() < restingUntil) return 0
      return failures === 0 ? places : Math.max(0, places - (atOnce - WHILE_SILENT))
    },
    answered() {
      failures = 0
      restingUntil = 0
    },
    /** What was under way together and fails together is one failure. */
    unanswered() {
      if (clock() < restingUntil) return
      restingUntil = clock() + Math.min(LONGEST_REST, SECOND * 2 ** failures)
      failures++
    },
  }
}

export type Pace = ReturnType<typeof makePace>

/** What `Work` takes at this pace; nothing while the clock of this server is wrong, which says what is due. */
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
