/** Milliseconds that all long work together may take of one turn of the event loop. */
const SHARE = 10

let began: number | undefined
/** In the order in which they came, so that none waits for another to end. */
const waiting: (() => void)[] = []

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
 * Lets others have their turn: thirty at once keep the server from others no longer than one does. Asked for as
 * `if (isShareUsed()) await letOthers()`, right before the step: what lies between is a moment in which thirty find that
 * nobody has begun.
 */
export const letOthers = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve)
    setImmediate(goOn)
  })

/** Makes something of each, by turns with others. */
export async function byTurns<One, Made>(ones: Iterable<One>, make: (one: One) => Made): Promise<Made[]> {
  const made: Made[] = []
  for (const one of ones) {
    if (isShareUsed()) await letOthers()
    made.push(make(one))
  }
  return made
}

/** Each of these lets the first go on in whose turn something is left of the share: of what is soon done, many in one turn. */
function goOn(): void {
  if (isShareUsed()) setImmediate(goOn)
  else waiting.shift()?.()
}
