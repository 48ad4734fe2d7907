import { AsyncLocalStorage } from 'node:async_hooks'

/** What the code that runs is for: a request, or something the server does by itself. */
interface Work {
  operation: string
  /** Which step it is, where steps are traced: each store of its own would cost every request. */
  step?: object | undefined
}

const work = new AsyncLocalStorage<Work>()

/** Runs it, and all that follows from it, under the name of what it is for. */
export const underway = work.run.bind(work)

export const workUnderway = work.getStore.bind(work)

/** Where another thread finds that out while this one is stuck: it can reach nothing that a module keeps to itself. */
export const OPERATION = 'usp.operation'
// Loaded once more in one process, as test runners do, the newest is asked.
Object.defineProperty(globalThis, Symbol.for(OPERATION), {
  configurable: true,
  value: () => work.getStore()?.operation,
})
