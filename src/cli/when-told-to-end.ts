/** What a process is told to end by. Whoever has other signals looked after by somebody else leaves these to this. */
export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const

/** Milliseconds: a terminal tells all of a group, and npm hands it on to whom it started, who is told twice. */
const SAME_TIME = 1_000

/** Calls when the process is told to end, and ends it at once when it is told again. Says how to hear no more. */
export function whenToldToEnd(end: () => void): () => void {
  let toldAt: number | undefined
  const hear = () => {
    if (toldAt !== undefined && performance.now() - toldAt > SAME_TIME) process.exit(1)
    if (toldAt !== undefined) return
    toldAt = performance.now()
    end()
  }
  for (const signal of SIGNALS) process.on(signal, hear)
  return () => {
    for (const signal of SIGNALS) process.off(signal, hear)
  }
}
