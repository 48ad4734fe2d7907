import { setTracer, tracing } from '../../src/infra/telemetry/tracing.ts'
import { atEachSignal } from './at-each-signal.ts'

/** Loaded before each thread of a server (`--import`): each signal turns its tracing off or on. */
let otherTracer: ReturnType<typeof tracing>
atEachSignal(() => {
  const now = tracing()
  setTracer(otherTracer)
  otherTracer = now
})
