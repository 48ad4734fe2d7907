export interface Progress {
  table: string
  /** The completed fraction of a backup or restore: 0 at the start, 1 at the end. */
  part: number
  bytes: number
}

export type ReportProgress = (progress: Progress) => void

/** The minimum time between two progress lines of a backup or restore, in milliseconds. */
const LINE_INTERVAL_MS = 1_000

export function progressLines(write: (line: string) => void): ReportProgress {
  let lastReport = performance.now()
  return ({ table, part, bytes }) => {
    if (performance.now() - lastReport < LINE_INTERVAL_MS) return
    lastReport = performance.now()
    write(`${String(Math.floor(part * 100)).padStart(3)} %  ${megabytes(bytes)}  ${table}`)
  }
}

export const megabytes = (bytes: number) => `${(bytes / 1e6).toLocaleString('en', { maximumSignificantDigits: 3 })} MB`
