import type { ReportProgress } from '../core/backup/report-progress.ts'
import { PlainError } from '../infra/util/command-line-error.ts'

/**
 * The signals that end the process, such as SIGTERM. Libraries must not handle these signals, because the server
 * handles them itself.
 */
export const END_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const

/**
 * A second signal within this many milliseconds counts as the same signal. Ctrl-C in a terminal signals all processes
 * of a group, so npm gets the signal too and sends it once more.
 */
const SAME_SIGNAL_MS = 1_000

/**
 * Calls `end` at the first end signal, such as Ctrl-C. A later signal ends the process immediately. Returns a function
 * that removes the signal handlers.
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

/**
 * Wraps the progress function of a long task, such as a backup. After a signal such as Ctrl-C, the wrapped function
 * throws an error. The task can then remove its unfinished files.
 */
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
