import type { ReportProgress } from '../core/backup/progress.ts'
import { PlainError } from '../infra/util/plain-error.ts'

/** Signals that end the process. The server handles these signals itself, so libraries must not handle them. */
export const END_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const

/**
 * Milliseconds. A second signal within this time counts as a repetition of the first: the terminal signals all
 * processes of a group, and npm forwards the signal again.
 */
const SAME_SIGNAL_MS = 1_000

/**
 * Calls `end` at the first signal. A later signal ends the process at once. Returns a function that removes the
 * handlers.
 */
export function onEndSignal(end: () => void): () => void {
  let toldAt: number | undefined
  const hear = () => {
    if (toldAt !== undefined && performance.now() - toldAt > SAME_SIGNAL_MS) process.exit(1)
    if (toldAt !== undefined) return
    toldAt = performance.now()
    end()
  }
  for (const signal of END_SIGNALS) process.on(signal, hear)
  return () => {
    for (const signal of END_SIGNALS) process.off(signal, hear)
  }
}

/** Returns a progress function that throws after an end signal. The work can then remove its unfinished files. */
export function failOnSignal(report: ReportProgress): ReportProgress {
  let isStopping = false
  onEndSignal(() => {
    isStopping = true
  })
  return (progress) => {
    if (isStopping) throw new PlainError('Stopped by a signal before the end. The unfinished result was removed.')
    report(progress)
  }
}
