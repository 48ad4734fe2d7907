export interface Progress {
  table: string
  /** Of the whole, from 0 to 1. */
  part: number
  bytes: number
}

export type Tell = (progress: Progress) => void

/** Milliseconds from one line to the next. */
const PACE = 1_000

/** Tells of it line by line, seldom enough to be read. */
export function progressLines(write: (line: string) => void): Tell {
  let told = performance.now()
  return ({ table, part, bytes }) => {
    if (performance.now() - told < PACE) return
    told = performance.now()
    write(`${String(Math.floor(part * 100)).padStart(3)} %  ${megabytes(bytes)}  ${table}`)
  }
}

export const megabytes = (bytes: number) => `${(bytes / 1e6).toLocaleString('en', { maximumSignificantDigits: 3 })} MB`
