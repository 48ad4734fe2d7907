import type { Finding } from '../run/run-checks.ts'
import type { LevelVerdict } from './verdicts.ts'

const MARKS = { proven: '✓', failed: '✗', skipped: '–' }

/** One line for a finding, and a second one with the reason if the check did not pass. */
export function lineOf({ check, binding, result, reason }: Finding): string {
  const line = `${MARKS[result]} ${binding.padEnd(4)} ${check.title} (${check.rules.join(', ')})`
  return result === 'proven' ? line : `${line}\n       ${reason}`
}

export function summary(levels: LevelVerdict[], findings: Finding[]): string {
  const count = (result: Finding['result']) => findings.filter((finding) => finding.result === result).length
  const rows = levels.map(({ level, result, counts }) => {
    const numbers = `${counts.proven} proven, ${counts.failed} failed, ${counts.skipped} skipped, ${counts.unchecked} unchecked`
    return `  ${level.padEnd(13)} ${result.padEnd(11)} MUST rules: ${numbers}`
  })
  const counts = `${count('proven')} checks passed, ${count('failed')} failed, ${count('skipped')} were skipped.`
  return [counts, ...skipReasons(findings), '', ...rows].join('\n')
}

/** The reasons of skipped checks, the most frequent first. */
function skipReasons(findings: Finding[]): string[] {
  const counts = new Map<string, number>()
  for (const { result, reason } of findings)
    if (result === 'skipped' && reason !== undefined) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  return [...counts].toSorted(([, a], [, b]) => b - a).map(([reason, number]) => `  skipped ${number} times: ${reason}`)
}
