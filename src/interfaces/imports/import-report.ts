import type { RowResult } from './import-row-result.ts'

/**
 * Writes the report about an import. The refused rows and the lost values come first, then the counts. The report
 * contains no names of people, because terminals can store their output.
 */
export function report(results: readonly RowResult[], { isDryRun }: { isDryRun: boolean }): string {
  const count = (wanted: RowResult['outcome']) => results.filter(({ outcome }) => outcome === wanted).length
  const lines = results
    .filter(({ outcome }) => outcome === 'refused')
    .map(({ line, start, reason = '' }) => `! line ${line}${start && ` (${start})`}: ${reason}`)
  const noted = results.flatMap(({ line, start, outcome, overridden = [] }) => {
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
  const details = [...noted, ...leftOut(results), ...lines]
  return [
    ...details,
    ...(details.length > 0 ? [''] : []),
    `${many(results.length)} read = ${counts.join(' + ')}.`,
  ].join('\n')
}

/**
 * Lists the values that the import did not store. Each text appears once, with the numbers of all lines that contain
 * such a value.
 */
function leftOut(results: readonly RowResult[]): string[] {
  const each = results.flatMap(({ line, leftOut: texts = [] }) => texts.map((what) => ({ line, what })))
  return [...Map.groupBy(each, ({ what }) => what)].map(([what, rows]) => `- ${linesIn(rows)}: not imported: ${what}`)
}

/** Returns a text such as `lines 3-5, 9` for the given rows, which must be sorted by line. */
function linesIn(rows: readonly { line: number }[]): string {
  const runs: { first: number; last: number }[] = []
  for (const { line } of rows) {
    const run = runs.at(-1)
    // Several rows can have the same line number, because all times of a repeating calendar event come from the same
    // line of the file.
    if (run && line <= run.last + 1) run.last = line
    else runs.push({ first: line, last: line })
  }
  const named = runs.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`))
  return `${new Set(rows.map(({ line }) => line)).size === 1 ? 'line' : 'lines'} ${named.join(', ')}`
}

const many = (count: number) => (count === 1 ? '1 row' : `${count} rows`)
