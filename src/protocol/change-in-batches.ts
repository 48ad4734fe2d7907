import type { RunUnitOfWork, UnitOfWork } from '../infra/db/unit-of-work.ts'
import { ProtocolError } from './errors.ts'

/** Items in one unit of work. Each takes some milliseconds, and other callers wait for the locks. */
const BATCH_SIZE = 20
/** Milliseconds until the caller gets an answer about the progress. A proxy would time out soon after. */
const CALL_TIME_LIMIT_MS = 20_000

export interface BatchedTask {
  /** Ids of the items that remain. The list must leave out finished items, or continue after the id `after`. */
  next(tx: UnitOfWork, most: number, after: string | undefined): Promise<string[]>
  /** Processes the items and returns the ids of the changed ones. */
  work(tx: UnitOfWork, ids: readonly string[]): Promise<readonly string[]>
}

/**
 * Processes items in small batches, each in a separate unit of work. Other callers then wait only briefly for locks. A
 * caller that starts again continues where the last run stopped. `mayGoOn` gets the number of processed items and throws to
 * stop.
 */
export async function changeInBatches(
  makeChange: RunUnitOfWork,
  { next, work }: BatchedTask,
  mayGoOn: (done: number) => void = () => {},
): Promise<string[]> {
  const all: string[] = []
  let after: string | undefined
  for (;;) {
    const { found, done } = await makeChange(async (tx) => {
      const found = await next(tx, BATCH_SIZE, after)
      return { found, done: await work(tx, found) }
    })
    all.push(...done)
    if (found.length < BATCH_SIZE) return all
    after = found.at(-1)
    mayGoOn(all.length)
  }
}

/**
 * Like `changeInBatches`, but with a time limit for a call. Finished batches stay committed, and the next call
 * continues.
 */
export function changeInBatchesForCall(makeChange: RunUnitOfWork, steps: BatchedTask): Promise<string[]> {
  const until = performance.now() + CALL_TIME_LIMIT_MS
  return changeInBatches(makeChange, steps, (done) => {
    if (performance.now() < until) return
    throw new ProtocolError('service_unavailable', `${done} are done, but not all: call again for the rest.`, {
      retryAfter: 1,
    })
  })
}
