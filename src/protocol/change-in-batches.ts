import type { RunUnitOfWork, UnitOfWork } from '../infra/db/unit-of-work.ts'
import { ProtocolError } from './errors.ts'

/**
 * The most items in one unit of work. Each item takes some milliseconds. Other callers wait for the locks until the
 * whole batch is done.
 */
const BATCH_SIZE = 20
/** Time limit of a call. The call then ends with an answer about the progress, because a proxy would soon time out. */
const CALL_TIME_LIMIT_MS = 20_000

export interface BatchedTask {
  /** Finds the ids of the next items. The result must leave out finished items, or start after the id `after`. */
  next(tx: UnitOfWork, most: number, after: string | undefined): Promise<string[]>
  /** Processes the items and returns the ids of the changed items. */
  work(tx: UnitOfWork, ids: readonly string[]): Promise<readonly string[]>
}

/**
 * Processes items in small batches. Each batch has its own unit of work, so that other callers wait for locks only
 * briefly. After an interruption, a new run continues after the last finished batch. `mayGoOn` gets the number of
 * processed items, and throws an error to stop the run.
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
 * Processes items like `changeInBatches`, but with the time limit of a call. Finished batches stay committed, and the
 * next call continues with the remaining items.
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
