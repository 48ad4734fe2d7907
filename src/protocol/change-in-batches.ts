import type { RunUnitOfWork, UnitOfWork } from '../infra/db/unit-of-work.ts'
import { ProtocolError } from './errors.ts'

/**
 * Maximum number of items that one unit of work (transaction) changes. Each item takes some milliseconds, and other
 * callers wait for the locked rows until the transaction ends.
 */
const BATCH_SIZE = 20
/**
 * Maximum duration of a call that processes many items, in milliseconds. After this time, the call answers how many
 * items are done. A longer call could exceed the timeout of a proxy.
 */
const CALL_TIME_LIMIT_MS = 20_000

export interface BatchedTask {
  /**
   * Returns the ids of the next items to process. `after` is the id of the last processed item. If processed items
   * still match the search, the function must return only ids after it.
   */
  next(tx: UnitOfWork, most: number, after: string | undefined): Promise<string[]>
  /** Processes the items and returns the ids of the changed items. */
  work(tx: UnitOfWork, ids: readonly string[]): Promise<readonly string[]>
}

/**
 * Processes items in small batches. Each batch is one unit of work (transaction), so that other callers wait only
 * briefly for locked rows. After each batch, `mayGoOn` gets the number of processed items, and can throw an error to
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
 * Processes items like `changeInBatches`, but stops with an error at the time limit of a call. Finished batches stay
 * committed. The caller calls again for the remaining items.
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
