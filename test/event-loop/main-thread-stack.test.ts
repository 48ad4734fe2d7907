import { once } from 'node:events'
import { stat } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { runOperation } from '../../src/infra/telemetry/event-loop/current-operation.ts'

const [IS_BLOCKED, MAY_CONTINUE] = [0, 1]
/** A function of ours around it would be on the stack. */
const wait: (state: Int32Array, index: number, value: number, milliseconds: number) => string = Atomics.wait

test('[a stall is named] where only functions of Node run, the operation for which they run is named', async () => {
  const state = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT))
  const reader = new Worker(new URL('./read-stack.ts', import.meta.url), { workerData: state })
  await once(reader, 'message')
  const stack = once(reader, 'message')
  runOperation({ operation: 'getService' }, () =>
    stat('/', () => {
      // Node runs these after this callback has ended, so no function of ours is on the stack. The debugger stops at the
      // first function that begins after the blocking call.
      const settled = Promise.resolve()
      settled.then(wait.bind(undefined, state, MAY_CONTINUE, 0, 60_000))
      for (let time = 0; time < 10; time++) settled.then(Buffer.isBuffer)
      Atomics.store(state, IS_BLOCKED, 1)
      Atomics.notify(state, IS_BLOCKED)
    }),
  )
  expect(await stack).toEqual([{ operation: 'getService', at: [] }])
})
