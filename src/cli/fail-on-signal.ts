import type { ReportProgress } from '../core/backup/progress.ts'
import { PlainError } from '../infra/util/plain-error.ts'
import { onEndSignal } from './end-signals.ts'

/** After a signal, the next progress report throws. The work can then remove its unfinished files. */
export function failOnSignal(tell: ReportProgress): ReportProgress {
  let isTold = false
  onEndSignal(() => {
    isTold = true
  })
  return (progress) => {
    if (isTold) throw new PlainError('Stopped by a signal before the end. The unfinished result was removed.')
    tell(progress)
  }
}
