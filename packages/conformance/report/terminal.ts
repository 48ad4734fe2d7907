import type { Finding } from '../run/run-checks.ts'
import type { LevelVerdict } from './verdicts.ts'

const MARKS = { proven: '✓', failed: '✗', warned: '!', skipped: '–' }

/** Returns one line for a result. If the check did not pass, a second line contains the reason. */
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
  const warned = count('warned')
  const warnings =
    warned > 0 ? [`New checks found errors: ${warned}. These checks will count in the next version of the suite.`] : []
  return [counts, ...warnings, ...skipReasons(findings), '', ...rows].join('\n')
}

/** Counts the reasons of skipped checks. The most frequent reason is first. */
function skipReasons(findings: Finding[]): string[] {
  const counts = new Map<string, number>()
  for (const { result, reason } of findings)
    if (result === 'skipped' && reason !== undefined) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  return [...counts].toSorted(([, a], [, b]) => b - a).map(([reason, number]) => `  skipped ${number} times: ${reason}`)
}
