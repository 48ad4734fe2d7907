import { createPrivateKey, sign } from 'node:crypto'
import { canonicalJson } from '../caller/canonical-json.ts'
import type { Exchange } from '../caller/exchange.ts'
import type { Check } from '../checks/check.ts'
import manifest from '../package.json' with { type: 'json' }
import type { Level, Rule } from '../rules/rule.ts'
import type { Finding } from '../run/run-checks.ts'
import type { Target } from '../target/target.ts'
import { adviceOf } from './advice.ts'
import { asEvidence } from './evidence.ts'
import { judgeLevels, judgeRules, type LevelVerdict } from './verdicts.ts'

/** The version of the protocol that the suite checks, and the date of the specification text. */
const PROTOCOL = { version: '2026-08-20', text: '2026-10-04' }

export interface CheckResult {
  title: string
  rules: string[]
  binding: string
  result: Finding['result']
  reason?: string
  milliseconds: number
  /** The requests and answers of the check, if it failed or warned. */
  evidence?: Exchange[]
}

/** All results of one run. Each report uses them. */
export interface Results {
  suite: { name: string; version: string }
  protocol: typeof PROTOCOL
  target: { origin: string; business: string; bindings: string[] }
  startedAt: string
  seed: number
  levels: LevelVerdict[]
  /** A text that tells the author of the server what to do next. */
  advice: string
  rules: { id: string; force: string; level: string; verdict: string; reason?: string; statement: string }[]
  checks: CheckResult[]
}

export function resultsOf(
  { target, seed, startedAt }: { target: Target; seed: number; startedAt: Date },
  rules: Map<string, Rule>,
  findings: Finding[],
  /** The checks that did not run, because the user chose other checks. */
  left: Check[],
): Results {
  const verdicts = judgeRules(rules, findings)
  const isAbout = (check: Check, level: Level) => check.rules.some((id) => rules.get(id)?.level === level)
  const levels = judgeLevels(verdicts, target.mode, (level) => !left.some((check) => isAbout(check, level)))
  return {
    suite: { name: manifest.name, version: manifest.version },
    protocol: PROTOCOL,
    target: { origin: target.origin, business: String(target.business.name), bindings: target.bindings },
    startedAt: startedAt.toISOString(),
    seed,
    levels,
    advice: adviceOf(levels, verdicts, findings),
    rules: verdicts.map(({ rule: { id, force, level, statement }, verdict, reason }) => ({
      id,
      force,
      level,
      verdict,
      ...(reason !== undefined && { reason }),
      statement,
    })),
    checks: findings.map(({ check: { title, rules: ids }, binding, result, reason, exchanges, milliseconds }) => ({
      title,
      rules: ids,
      binding,
      result,
      ...(reason !== undefined && { reason }),
      milliseconds,
      ...((result === 'failed' || result === 'warned') && { evidence: exchanges.map(asEvidence) }),
    })),
  }
}

/**
 * Returns the text of the result file. With a private key (PEM, Ed25519), the file has a member `signature`. This
 * member is the base64url signature of the canonical JSON (RFC 8785) of all other members.
 */
export function resultFile(results: Results, privateKey: string | undefined): string {
  if (privateKey === undefined) return `${JSON.stringify(results, null, 2)}\n`
  const signature = sign(null, Buffer.from(canonicalJson(results)), createPrivateKey(privateKey)).toString('base64url')
  return `${JSON.stringify({ ...results, signature }, null, 2)}\n`
}
