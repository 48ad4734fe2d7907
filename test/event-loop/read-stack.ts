import { parentPort, workerData } from 'node:worker_threads'
import { readMainThreadStack } from '../../src/infra/telemetry/event-loop/main-thread-stack.ts'

/** Runs in a thread. It reads the stack of the main thread as soon as that one is blocked, and then lets it continue. */
const [isBlocked, mayContinue] = [0, 1]
const state: Int32Array<SharedArrayBuffer> = workerData
// The debugger session alone does not keep the thread alive.
const alive = setInterval(() => {}, 1_000)
parentPort?.postMessage('ready')
Atomics.wait(state, isBlocked, 0)
const stack = readMainThreadStack()
Atomics.store(state, mayContinue, 1)
Atomics.notify(state, mayContinue)
parentPort?.postMessage(await stack)
clearInterval(alive)
