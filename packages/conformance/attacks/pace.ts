import { setTimeout as sleep } from 'node:timers/promises'

/** Waits until the next hostile request may be sent. */
export type Pace = () => Promise<void>

/** Lets at most `perSecond` requests pass in a second, for all attacks together. */
export function paceOf(perSecond: number): Pace {
  let next = 0
  return async () => {
    const now = performance.now()
    next = Math.max(now, next) + 1000 / perSecond
    await sleep(next - now)
  }
}
