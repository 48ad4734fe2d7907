import type { RowResult } from './row-result.ts'

/**
 * The result of an import: refused rows and lost values by line, then the counts. It names no people, because terminals
 * keep logs.
 */
export function report(told: readonly RowResult[], { isDryRun }: { isDryRun: boolean }): string {
  const count = (wanted: RowResult['outcome']) => told.filter(({ outcome }) => outcome === wanted).length
  const lines = told
    .filter(({ outcome }) => outcome === 'refused')
    .map(({ line, start, reason = '' }) => `! line ${line}${start && ` (${start})`}: ${reason}`)
  const noted = told.flatMap(({ line, start, outcome, overridden = [] }) => {
    const rules = outcome === 'imported' ? overridden.filter((rule) => rule !== 'booking_window') : []
    return rules.length > 0 ? [`? line ${line} (${start}): ${rules.join(' and ')} would not allow it today`] : []
  })
  const counts = [
    `${count('imported')} ${isDryRun ? 'would be imported' : 'imported'}`,
    `${count('already_there')} already there`,
    `${count('refused')} refused`,
    ...(count('without_booking') > 0 ? [`${count('without_booking')} without a booking`] : []),
    ...(count('left_out') > 0 ? [`${count('left_out')} left out`] : []),
  ]
  const details = [...noted, ...leftOut(told), ...lines]
  return [...details, ...(details.length > 0 ? [''] : []), `${many(told.length)} read = ${counts.join(' + ')}.`].join(
    '\n',
  )
}

/** Values that were not imported. Equal texts appear once, with all their lines. */
function leftOut(told: readonly RowResult[]): string[] {
  const each = told.flatMap(({ line, leftOut: said = [] }) => said.map((what) => ({ line, what })))
  return [...Map.groupBy(each, ({ what }) => what)].map(([what, rows]) => `- ${linesIn(rows)}: not imported: ${what}`)
}

/** `lines 3-5, 9`. The input is sorted by line. */
function linesIn(told: readonly { line: number }[]): string {
  const runs: { first: number; last: number }[] = []
  for (const { line } of told) {
    const run = runs.at(-1)
    // A repeating event gives several rows with one line number.
    if (run && line <= run.last + 1) run.last = line
    else runs.push({ first: line, last: line })
  }
  const named = runs.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`))
  return `${new Set(told.map(({ line }) => line)).size === 1 ? 'line' : 'lines'} ${named.join(', ')}`
}

const many = (count: number) => (count === 1 ? '1 row' : `${count} rows`)
