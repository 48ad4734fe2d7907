import { AsyncLocalStorage } from 'node:async_hooks'

/** The purpose of the code that runs now: a request, or a job of the server. */
interface Work {
  operation: string
  /**
   * The current tracing span. It is part of the same store, because each additional AsyncLocalStorage makes every
   * request slower.
   */
  step?: object | undefined
}

const work = new AsyncLocalStorage<Work>()

/** Runs a function under an operation. Everything that the function starts also belongs to the operation. */
export const runOperation = work.run.bind(work)

export const currentWork = work.getStore.bind(work)

/**
 * The name of a global function that returns the current operation. The event loop monitor calls it from another
 * thread, which cannot reach the variables of this module.
 */
export const OPERATION_SYMBOL = 'usp.operation'
// The property can be redefined, because test runners load this module several times. The newest copy of the module
// then answers.
Object.defineProperty(globalThis, Symbol.for(OPERATION_SYMBOL), {
  configurable: true,
  value: () => work.getStore()?.operation,
})
