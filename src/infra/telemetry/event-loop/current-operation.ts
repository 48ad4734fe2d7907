import { AsyncLocalStorage } from 'node:async_hooks'

/** The purpose of the running code: a request, or a job of the server. */
interface Work {
  operation: string
  /**
   * The current tracing span. The span is in the same store as the operation, because each additional AsyncLocalStorage
   * makes all requests slower.
   */
  step?: object | undefined
}

const work = new AsyncLocalStorage<Work>()

/** Runs a function under an operation. All work that the function starts also belongs to this operation. */
export const runOperation = work.run.bind(work)

export const currentWork = work.getStore.bind(work)

/**
 * The name of a global function that returns the current operation. The event loop monitor calls it from another
 * thread, which cannot read the variables of this module.
 */
export const OPERATION_SYMBOL = 'usp.operation'
// Test runners load this module several times, so the property must be configurable. The function of the newest copy
// then replaces the older function.
Object.defineProperty(globalThis, Symbol.for(OPERATION_SYMBOL), {
  configurable: true,
  value: () => work.getStore()?.operation,
})
