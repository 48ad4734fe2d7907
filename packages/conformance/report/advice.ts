import type { Finding } from '../run/run-checks.ts'
import type { LevelVerdict, RuleVerdict } from './verdicts.ts'

const MAX_SHOWN = 5

/** Tells the author of the server what to do next, level by level. Empty if no level is `not earned`. */
export function adviceOf(levels: LevelVerdict[], verdicts: RuleVerdict[], findings: Finding[]): string {
  const open = levels.filter(({ result }) => result === 'not earned')
  const paragraphs = open.map((level) => paragraphOf(level, verdicts, findings))
  return paragraphs.length === 0 ? '' : `What to do next\n\n${paragraphs.join('\n\n')}`
}

function paragraphOf({ level, missing }: LevelVerdict, verdicts: RuleVerdict[], findings: Finding[]): string {
  const broken = verdicts.filter(({ rule, verdict }) => rule.level === level && verdict === 'failed')
  if (broken.length > 0)
    return `${level}: the server breaks ${count(broken.length)}.\n${broken.slice(0, MAX_SHOWN).map(brokenLine).join('\n')}${rest(broken)}`
  const reasons = new Set(
    findings.filter(({ check }) => check.rules.some((id) => missing.includes(id))).map(({ reason }) => reason),
  )
  const [reason = 'No check of this level ran.'] = reasons
  return `${level}: not proven, because ${missing.join(', ')} could not be checked. ${reason}`
}

const count = (rules: number) => (rules === 1 ? 'one rule' : `${rules} rules`)

const brokenLine = ({ rule, reason }: RuleVerdict) => `  ${rule.id} ${rule.statement}\n    ${reason}`

function rest(broken: RuleVerdict[]): string {
  if (broken.length <= MAX_SHOWN) return ''
  return `\n  ${count(broken.length - MAX_SHOWN)} more. The option --html FILE writes all of them, with each request and answer.`
}
