import { url as debuggerUrl } from 'node:inspector'
import { setTimeout as pass } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type MainThreadStack, readMainThreadStack } from './main-thread-stack.ts'

const STUCK_AFTER_MS = 2_000
const CHECK_INTERVAL_MS = 250
/**
 * If more than this many milliseconds pass between two checks, the event loop does not count as stuck. In this case,
 * the whole process was suspended or got no CPU time.
 */
const SUSPENDED_AFTER_MS = 1_000
/**
 * How long to wait for the call stack of the main thread, in milliseconds. The stack usually arrives after a few
 * milliseconds, but later on a slow machine or while native code runs.
 */
const STACK_TIMEOUT_MS = 3_000

/**
 * Watches the event loop of the main thread from another thread. If the loop is stuck, logs the call stack of the main
 * thread. A stuck thread cannot write to the log itself.
 */
export function monitorEventLoop(loopCounter: Int32Array, log: Pick<Logger, 'error'>): void {
  let lastCount = Atomics.load(loopCounter, 0)
  let lastLook = performance.now()
  let stuckFor = 0
  let where: Promise<MainThreadStack> | undefined

  // This code catches errors of `checkLoop`, because they must not end the monitoring thread.
  const tryToLook = () =>
    void checkLoop().catch((error) =>
      log.error({ err: error }, 'The event loop monitor could not check the event loop.'),
    )
  setInterval(tryToLook, CHECK_INTERVAL_MS).unref()

  async function checkLoop() {
    const count = Atomics.load(loopCounter, 0)
    const passed = performance.now() - lastLook
    const isTurning = count !== lastCount
    lastLook += passed
    lastCount = count
    if (isTurning) await tellEnd()
    else if (passed > SUSPENDED_AFTER_MS) stuckFor = 0
    else await tellStuck(passed)
  }

  async function tellStuck(passed: number) {
    stuckFor += passed
    if (stuckFor < STUCK_AFTER_MS || where) return
    where = readMainThreadStack()
    const ms = Math.round(stuckFor)
    log.error({ ...(await withStackTimeout(where)), ms }, 'The event loop is stuck.')
  }

  async function tellEnd() {
    const [ended, ms] = [where, Math.round(stuckFor)]
    where = undefined
    stuckFor = 0
    if (ended) log.error({ ...(await withStackTimeout(ended)), ms }, 'The event loop was stuck, and runs again.')
  }
}

/**
 * Waits for the call stack of the main thread for at most `STACK_TIMEOUT_MS` milliseconds. The timer does not keep the
 * process running.
 */
const withStackTimeout = (found: Promise<MainThreadStack>) =>
  Promise.race([found, pass(STACK_TIMEOUT_MS, {}, { ref: false })])

const INTERVAL_MS = 250

/**
 * Starts a counter that grows while the event loop of this thread runs. Another thread can therefore see whether the
 * loop is stuck. Returns undefined if a debugger is attached, because a debugger can pause the process.
 */
export function startLoopCounter(): Int32Array | undefined {
  if (debuggerUrl() !== undefined) return undefined
  const loopCounter = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  setInterval(() => Atomics.add(loopCounter, 0, 1), INTERVAL_MS).unref()
  return loopCounter
}
