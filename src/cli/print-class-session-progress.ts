/** The time before the first progress line, and between two progress lines, in milliseconds. */
const LINE_INTERVAL_MS = 5_000

/**
 * Returns a function that prints how many class sessions the server has created. The function prints nothing if all
 * class sessions are created within `LINE_INTERVAL_MS`.
 */
export function classTimesProgress(write: (line: string) => void): (done: number, total: number) => void {
  let written = performance.now()
  return (done, total) => {
    if (performance.now() - written < LINE_INTERVAL_MS) return
    written = performance.now()
    write(`Class times: ${done.toLocaleString('en')} of ${total.toLocaleString('en')} changes are done.`)
  }
}

export const classTimesIncomplete = (why: string) =>
  `The definition is in force, but not all class times are up to date: ${why}. A running server completes them within ` +
  'two minutes, otherwise the next start does.'
