import type { Change, MakeChange } from '../infra/db/change.ts'
import { ProtocolError } from './errors.ts'

/** Each takes some milliseconds, for which others wait. */
const AT_ONCE = 20
/** Milliseconds after which whoever calls is told how far it is: what stands between gives up soon after. */
const PATIENCE = 20_000

/** What is to be done with many things. */
export interface Steps {
  /** Those that it is still to be done with; done with, they are no longer among them, or come after the last of those before. */
  next(tx: Change, most: number, after: string | undefined): Promise<string[]>
  /** Does it, and says with which. */
  work(tx: Change, ids: readonly string[]): Promise<readonly string[]>
}

/**
 * Does something with a few at a time, each few in a change of their own, so that nobody waits long for what is locked.
 * Whoever begins again goes on where it was left. What may not go on throws, after as many as it is told.
 */
export async function inShortChanges(
  makeChange: MakeChange,
  { next, work }: Steps,
  mayGoOn: (done: number) => void = () => {},
): Promise<string[]> {
  const all: string[] = []
  let after: string | undefined
  for (;;) {
    const { found, done } = await makeChange(async (tx) => {
      const found = await next(tx, AT_ONCE, after)
      return { found, done: await work(tx, found) }
    })
    all.push(...done)
    if (found.length < AT_ONCE) return all
    after = found.at(-1)
    mayGoOn(all.length)
  }
}

/** The same for a call, which has its answer in time: what is done by then stays so, and the next call does the rest. */
export function inShortChangesOfCall(makeChange: MakeChange, steps: Steps): Promise<string[]> {
  const until = performance.now() + PATIENCE
  return inShortChanges(makeChange, steps, (done) => {
    if (performance.now() < until) return
    throw new ProtocolError('service_unavailable', `It is done with ${done}, and not yet with all: call it again.`, {
      retryAfter: 1,
    })
  })
}
