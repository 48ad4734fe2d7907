import { setTracer, tracing } from '../../src/infra/telemetry/tracing.ts'
import { atEachSignal } from './at-each-signal.ts'

/**
 * Node loads this file before each thread of a server (`--import`). Each signal turns the tracing of the server off or
 * on.
 */
let otherTracer: ReturnType<typeof tracing>
atEachSignal(() => {
  const now = tracing()
  setTracer(otherTracer)
  otherTracer = now
})
