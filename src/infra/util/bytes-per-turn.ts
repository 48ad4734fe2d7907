import { setImmediate as othersTurn } from 'node:timers/promises'

/**
 * Limits the bytes that all callers together process in one turn of the event loop. The others wait for the next turn.
 * One call must not exceed `most`, since it would wait forever.
 */
export function limitBytesPerTurn(most: number): (bytes: number) => Promise<void> {
  let left = most
  let nextTurn: Promise<void> | undefined
  return async (bytes) => {
    while (left < bytes) {
      nextTurn ??= othersTurn().then(() => {
        left = most
        nextTurn = undefined
      })
      await nextTurn
    }
    left -= bytes
  }
}
