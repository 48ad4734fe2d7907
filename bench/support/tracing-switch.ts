import { traceWith, tracing } from '../../src/monitoring/tracing.ts'

/** Loaded before a server (`--import`): a signal stops its tracing, and the next one has it go on. */
let kept: ReturnType<typeof tracing>
process.on('SIGWINCH', () => {
  const now = tracing()
  traceWith(kept)
  kept = now
})
