import { essentialRules } from '../rules/essential-rules.ts'
import { LEVELS, type Level, type Rule } from '../rules/rule.ts'
import type { Finding } from '../run/run-checks.ts'
import type { DeploymentMode } from '../target/target.ts'

/** The result of a run for one rule. */
export interface RuleVerdict {
  rule: Rule
  /** `unchecked`: the suite has no check for the rule yet. `not visible`: a client cannot observe the rule. */
  verdict: 'proven' | 'failed' | 'skipped' | 'unchecked' | 'not visible'
  reason: string | undefined
}

export interface LevelVerdict {
  level: Level
  /** `not judged`: some checks of the level did not run. */
  result: 'earned' | 'not earned' | 'not judged'
  /** The essential rules that are not proven. */
  missing: string[]
  /** How many MUST rules have each verdict. */
  counts: Record<RuleVerdict['verdict'], number>
}

/**
 * Judges all rules, except replaced rules without a check. A rule is proven if at least one of its checks passed and
 * none failed.
 */
export function judgeRules(rules: Map<string, Rule>, findings: Finding[]): RuleVerdict[] {
  const byRule = new Map<string, Finding[]>()
  for (const finding of findings)
    for (const id of finding.check.rules) byRule.set(id, [...(byRule.get(id) ?? []), finding])
  return [...rules.values()]
    .filter(({ id, replacedBy }) => byRule.has(id) || !replacedBy)
    .map((rule) => {
      const own = byRule.get(rule.id) ?? []
      const failed = own.find(({ result }) => result === 'failed')
      if (failed) return { rule, verdict: 'failed', reason: failed.reason }
      if (own.some(({ result }) => result === 'proven')) return { rule, verdict: 'proven', reason: undefined }
      if (own[0]) return { rule, verdict: 'skipped', reason: own[0].reason }
      return { rule, verdict: rule.visibility === 'no' ? 'not visible' : 'unchecked', reason: undefined }
    })
}

/** A server earns a level if it breaks no MUST rule of the level, and all essential rules of the level are proven. */
export function judgeLevels(
  verdicts: RuleVerdict[],
  mode: DeploymentMode,
  isWhole: (level: Level) => boolean,
): LevelVerdict[] {
  const essential = essentialRules(mode)
  const proven = new Set(verdicts.filter(({ verdict }) => verdict === 'proven').map(({ rule }) => rule.id))
  return LEVELS.map((level) => {
    const counts = { proven: 0, failed: 0, skipped: 0, unchecked: 0, 'not visible': 0 }
    for (const { rule, verdict } of verdicts) if (rule.level === level && rule.force === 'MUST') counts[verdict]++
    const missing = essential[level].filter((id) => !proven.has(id))
    const isEarned = counts.failed === 0 && missing.length === 0
    return { level, counts, missing, result: !isWhole(level) ? 'not judged' : isEarned ? 'earned' : 'not earned' }
  })
}
