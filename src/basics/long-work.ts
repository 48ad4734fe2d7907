/** Milliseconds that all long work together may take of one turn of the event loop. */
const SHARE = 10

let began: number | undefined
let rests = false
let next: (goOn: () => void) => void = setImmediate
/** In the order in which they came, so that none waits for another to end. */
const waiting: (() => void)[] = []

/** Whether long work has had its share of this turn: cheap enough to be asked at every step. */
export function isShareUsed(): boolean {
  if (began === undefined) {
    began = performance.now()
    if (!rests) setImmediate(beginAnew)
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
    next(goOn)
  })

/**
 * From now on long work rests as long as it works, or as the database works for it: for a thread that nobody waits for, where
 * others need the processor for what somebody does wait for.
 */
export function restBetweenShares(): void {
  rests = true
  next = (goOn) => void setTimeout(rested, SHARE, goOn)
}

function rested(goOn: () => void): void {
  beginAnew()
  goOn()
}

function beginAnew(): void {
  began = undefined
}

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
  if (isShareUsed()) next(goOn)
  else waiting.shift()?.()
}
