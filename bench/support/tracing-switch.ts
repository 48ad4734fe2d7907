import { traceWith, tracing } from '../../src/infra/telemetry/tracing.ts'
import { atEachSignal } from './at-each-signal.ts'

/** Loaded before each thread of a server (`--import`): a signal stops its tracing, and the next one has it go on. */
let kept: ReturnType<typeof tracing>
atEachSignal(() => {
  const now = tracing()
  traceWith(kept)
  kept = now
})
