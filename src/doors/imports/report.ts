import type { Told } from './import-rows.ts'

/**
 * What came of a file: every row that was refused, or is left where it was, by its line, and how many there were. By line: a
 * terminal's log needs no names.
 */
export function report(told: readonly Told[], { isRehearsal }: { isRehearsal: boolean }): string {
  const of = (wanted: Told['outcome']) => told.filter(({ outcome }) => outcome === wanted)
  const [imported, there, refused, left] = [of('imported'), of('already_there'), of('refused'), of('without_booking')]
  const overridden = imported.filter((one) => one.overridden?.some((rule) => rule !== 'booking_window'))
  const lines = refused.map(({ line, start, why = '' }) => `! line ${line}${start && ` (${start})`}: ${why}`)
  const noted = overridden.map(
    ({ line, start, overridden: rules = [] }) =>
      `? line ${line} (${start}): ${rules.filter((rule) => rule !== 'booking_window').join(' and ')} would not allow it today`,
  )
  const alone = left.length === 0 ? [] : [`- ${linesIn(left)}: who never booked is not kept: ${WITHOUT_BOOKING}`]
  const would = isRehearsal ? 'would be imported' : 'imported'
  const counts = [
    ...[`${imported.length} ${would}`, `${there.length} already there`, `${refused.length} refused`],
    ...(left.length > 0 ? [`${left.length} without a booking`] : []),
  ]
  const details = [...noted, ...alone, ...lines]
  return [...details, ...(details.length > 0 ? [''] : []), `${many(told.length)} read = ${counts.join(' + ')}.`].join(
    '\n',
  )
}

const WITHOUT_BOOKING = 'customers show from their bookings, and begin with the first one here.'

/** `lines 3-5, 9`, of lines in their order. */
function linesIn(told: readonly Told[]): string {
  const runs: { first: number; last: number }[] = []
  for (const { line } of told) {
    const run = runs.at(-1)
    if (run && line === run.last + 1) run.last = line
    else runs.push({ first: line, last: line })
  }
  const named = runs.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`))
  return `${told.length === 1 ? 'line' : 'lines'} ${named.join(', ')}`
}

const many = (count: number) => (count === 1 ? '1 row' : `${count} rows`)
