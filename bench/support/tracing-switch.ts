import { setTracer, tracing } from '../../src/infra/telemetry/tracing.ts'
import { atEachSignal } from './at-each-signal.ts'

/** Loaded before each thread of a server (`--import`): each signal turns its tracing off or on. */
let kept: ReturnType<typeof tracing>
atEachSignal(() => {
  const now = tracing()
  setTracer(kept)
  kept = now
})
