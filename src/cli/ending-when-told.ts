import type { Tell } from '../backup/progress.ts'
import { PlainError } from '../basics/plain-error.ts'

/** Has the work fail at its next step when the process is told to end, so that it takes away what it has made. A second time ends it at once. */
export function endingWhenTold(tell: Tell): Tell {
  let isTold = false
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => {
      isTold = true
    })
  return (progress) => {
    if (isTold) throw new PlainError('Ended before it was done, as told. Nothing is left of it.')
    tell(progress)
  }
}
