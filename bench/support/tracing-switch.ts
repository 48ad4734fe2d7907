import { BroadcastChannel, isMainThread } from 'node:worker_threads'
import { traceWith, tracing } from '../../src/monitoring/tracing.ts'

/** Loaded before each thread of a server (`--import`): a signal stops its tracing, and the next one has it go on. */
let kept: ReturnType<typeof tracing>
const turn = () => {
  const now = tracing()
  traceWith(kept)
  kept = now
}
// Signals are heard by the first thread alone.
const channel = new BroadcastChannel('tracing')
channel.onmessage = turn
channel.unref()
if (isMainThread)
  process.on('SIGWINCH', () => {
    turn()
    channel.postMessage('turn')
  })
