import { AsyncLocalStorage } from 'node:async_hooks'

/** The operation or background job that the running code belongs to. */
interface Work {
  operation: string
  /**
   * The current tracing span. It is in the same AsyncLocalStorage as the operation, because each additional
   * AsyncLocalStorage makes all requests slower.
   */
  step?: object | undefined
}

const work = new AsyncLocalStorage<Work>()

/** Runs a function under the name of an operation. All work that the function starts also belongs to this operation. */
export const runOperation = work.run.bind(work)

export const currentWork = work.getStore.bind(work)

/**
 * The name of a global function that returns the current operation. The event loop monitor calls the function from
 * another thread, which cannot read the variables of this module.
 */
export const OPERATION_SYMBOL = 'usp.operation'
// Test runners load this module several times. The property must be configurable, so that the function of the newest
// copy can replace the older one.
Object.defineProperty(globalThis, Symbol.for(OPERATION_SYMBOL), {
  configurable: true,
  value: () => work.getStore()?.operation,
})
