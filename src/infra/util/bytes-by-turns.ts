import { setImmediate as othersTurn } from 'node:timers/promises'

/** So many bytes may be worked on in one turn of the event loop, of all who ask together; the others wait for the next. */
export function bytesByTurns(most: number): (bytes: number) => Promise<void> {
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
