import { setImmediate as othersTurn } from 'node:timers/promises'
import { limitConcurrency } from './concurrency-limit.ts'

/** Milliseconds that all long work together may take of one turn of the event loop. */
const SHARE = 10

const inTurn = limitConcurrency(1)
let began: number | undefined

/** Whether long work has had its share of this turn: cheap enough to be asked at every step. */
export function isShareUsed(): boolean {
  if (began === undefined) {
    began = performance.now()
    setImmediate(() => {
      began = undefined
    })
  }
  return performance.now() - began >= SHARE
}

/**
 * Lets others have their turn, where long work has had its share of this one. Of all that waits one goes on in each turn:
 * thirty at once keep the server from others no longer than one does.
 */
export async function letOthers(): Promise<void> {
  while (isShareUsed()) await inTurn(othersTurn)
}
