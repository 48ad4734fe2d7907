import type { Told } from './import-rows.ts'

/** What came of a file: every row that was refused by its line, and how many there were. By line: a terminal's log needs no names. */
export function report(told: readonly Told[], { isRehearsal }: { isRehearsal: boolean }): string {
  const of = (wanted: Told['outcome']) => told.filter(({ outcome }) => outcome === wanted)
  const [imported, there, refused] = [of('imported'), of('already_there'), of('refused')]
  const overridden = imported.filter((one) => one.overridden?.some((rule) => rule !== 'booking_window'))
  const lines = refused.map(({ line, start, why = '' }) => `! line ${line}${start && ` (${start})`}: ${why}`)
  const noted = overridden.map(
    ({ line, start, overridden: rules = [] }) =>
      `? line ${line} (${start}): ${rules.filter((rule) => rule !== 'booking_window').join(' and ')} would not allow it today`,
  )
  const would = isRehearsal ? 'would be imported' : 'imported'
  const sum = `${many(told.length)} read = ${imported.length} ${would} + ${there.length} already there + ${refused.length} refused.`
  return [...noted, ...lines, ...(noted.length + lines.length > 0 ? [''] : []), sum].join('\n')
}

const many = (count: number) => (count === 1 ? '1 row' : `${count} rows`)
