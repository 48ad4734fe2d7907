import { AsyncLocalStorage } from 'node:async_hooks'

/** The purpose of the running code: a request, or a job of the server. */
interface Work {
  operation: string
  /** The current tracing span. It shares this store, because each AsyncLocalStorage costs every request. */
  step?: object | undefined
}

const work = new AsyncLocalStorage<Work>()

/** Runs the function, and everything that it starts, under this operation. */
export const runOperation = work.run.bind(work)

export const currentWork = work.getStore.bind(work)

/** The name of a global: the event loop monitor evaluates it from another thread, which cannot reach module variables. */
export const OPERATION_SYMBOL = 'usp.operation'
// Configurable, because test runners load this module several times: the newest copy answers.
Object.defineProperty(globalThis, Symbol.for(OPERATION_SYMBOL), {
  configurable: true,
  value: () => work.getStore()?.operation,
})
