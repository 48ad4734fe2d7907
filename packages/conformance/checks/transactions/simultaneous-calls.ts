import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer } from '../../caller/answer.ts'
import type { Caller } from '../../caller/caller.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectTrue } from '../../run/expectations.ts'
import { askForHold, askToBook } from './slots-and-bookings.ts'

/** Several callers share the simultaneous calls, because a business may limit the calls of one caller. */
export const PLATFORMS = 4

const ATTEMPTS = 5

/** Makes `count` calls at the same time. */
export const simultaneously = <T>(count: number, call: (nth: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, nth) => call(nth)))

/** Returns a function that chooses the caller of each simultaneous call. */
export function severalCallers(c: CheckContext): (nth: number) => Caller {
  const callers = Array.from({ length: PLATFORMS }, () => c.newPlatform().caller)
  return (nth) => callers[nth % PLATFORMS] ?? c.caller
}

/** Every second call requests a hold. The other calls request a booking. */
export const holdOrBook = (nth: number) => (nth % 2 === 0 ? askForHold : askToBook)

export const isGranted = ({ result }: Answer): boolean => result?.hold !== undefined || result?.booking !== undefined

/** Repeats a request until the server grants it. Returns the last answer. */
export async function untilGranted(
  request: () => Promise<Answer>,
  { pauseMs = 0, isEnough = isGranted }: { pauseMs?: number; isEnough?: (answer: Answer) => boolean } = {},
): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    const answer = await request()
    if (isEnough(answer) || attempt === ATTEMPTS) return answer
    await sleep(pauseMs)
  }
}

/**
 * Requires that exactly one answer granted the slot, and that all others refused it. Returns the granting answer and
 * its index.
 */
export function requireOneWinner(answers: Answer[]): [number, Answer] {
  const winners = [...answers.entries()].filter(([, answer]) => isGranted(answer))
  const [winner] = winners
  expectTrue(winner !== undefined && winners.length === 1, 'exactly one granted request', winners.length)
  for (const answer of answers) if (!isGranted(answer)) answer.refusedWith('slot_unavailable')
  return winner
}
