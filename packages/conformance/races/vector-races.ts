import { type Check, check } from '../checks/check.ts'
import { raceForLastSpot } from '../checks/transactions/last-spots.ts'
import { PLATFORMS } from '../checks/transactions/simultaneous-calls.ts'
import { raceForHeldSlot } from '../checks/ucp/checkout-races.ts'
import { needs as ofCheckouts, unpaidService } from '../checks/ucp/checkout-steps.ts'
import type { CheckContext, Platform } from '../run/check-context.ts'

const bookings = 'services.bookings'

/** Runs the rounds of a race. The same platforms compete in each round. */
async function inRounds(
  c: CheckContext,
  rounds: number,
  race: (round: CheckContext, rivals: Platform[]) => Promise<void>,
): Promise<void> {
  const rivals = Array.from({ length: PLATFORMS }, () => c.newPlatform())
  for (let round = 1; round <= rounds; round++) {
    // The recorded requests of all rounds would fill the memory.
    c.exchanges.length = 0
    await c.inRound((own) => race(own, rivals))
  }
}

/** Defines checks that repeat the races of the published vectors. */
export const vectorRaces = (rounds: number): Check[] => [
  check(
    'HLD-015 HLD-022',
    `In ${rounds} rounds, exactly one platform gets the last spot of a group slot (flow/102)`,
    (c) =>
      inRounds(c, rounds, (round, rivals) => {
        const callers = rivals.map(({ caller }) => caller)
        return raceForLastSpot(round, callers)
      }),
    { once: true, isAlone: true, needs: ['services.availability', bookings] },
  ),
  check(
    'LIV-112 LIV-118',
    `In ${rounds} rounds, the hold of a checkout ends during its completion (flow/101)`,
    (c) =>
      inRounds(c, rounds, (round, rivals) =>
        raceForHeldSlot(round, unpaidService(round), { rivals, completion: () => ({}) }),
      ),
    { once: true, isAlone: true, needs: [...ofCheckouts, bookings] },
  ),
]
