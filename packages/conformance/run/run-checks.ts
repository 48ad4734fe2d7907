import type { Binding } from '../caller/caller.ts'
import type { Exchange } from '../caller/exchange.ts'
import type { Check } from '../checks/check.ts'
import type { Target } from '../target/target.ts'
import { CheckContext, type RunEnvironment } from './check-context.ts'
import { Mismatch, Skip } from './mismatch.ts'

/** The result of one check over one binding (REST or MCP). */
export interface Finding {
  check: Check
  binding: Binding
  /** `warned`: the check failed, but it is new in this version and only warns. */
  result: 'proven' | 'failed' | 'warned' | 'skipped'
  /** The fault of the server, or the reason why the suite skipped the check. */
  reason: string | undefined
  exchanges: Exchange[]
  milliseconds: number
}

export interface RunOptions {
  /** How many checks run at the same time. */
  atOnce: number
  /** True: each failed check runs once more, alone, after all other checks. Only the second result counts. */
  repeatsFailures?: boolean
  onFinding: (finding: Finding) => void
}

const names = { rest: 'REST', mcp: 'MCP' } as const

/**
 * Runs each check over each of its bindings that the server offers, and skips the checks of the other bindings. Returns
 * the findings in the order of the checks.
 */
export async function runChecks(checks: Check[], environment: RunEnvironment, options: RunOptions): Promise<Finding[]> {
  const runs = checks.flatMap((check) => bindingsFor(check, environment.target).map((binding) => ({ check, binding })))
  const findings: Finding[] = []
  const workOn = (waiting: number[]) => async () => {
    for (let nth = waiting.shift(); nth !== undefined; nth = waiting.shift()) {
      const run = runs[nth]
      if (!run) continue
      const finding = await runCheck(run.check, run.binding, environment)
      findings[nth] = finding
      options.onFinding(finding)
    }
  }
  const isAlone = (nth: number) => runs[nth]?.check.isAlone === true
  const together = [...runs.keys()].filter((nth) => !isAlone(nth))
  await Promise.all(Array.from({ length: options.atOnce }, workOn(together)))
  await workOn([...runs.keys()].filter(isAlone))()
  if (options.repeatsFailures) await workOn([...runs.keys()].filter((nth) => findings[nth]?.result === 'failed'))()
  return findings
}

/** The bindings over which the check runs. Without such a binding, the suite skips the check over its first binding. */
function bindingsFor({ bindings, runsOnce }: Check, target: Target): Binding[] {
  const offered = bindings.filter((binding) => target.bindings.includes(binding))
  return offered.length === 0 || runsOnce ? [offered[0] ?? bindings[0] ?? target.firstBinding] : offered
}

async function runCheck(check: Check, binding: Binding, environment: RunEnvironment): Promise<Finding> {
  const start = performance.now()
  const context = new CheckContext(environment, binding, { newPlatform: check.newPlatform })
  const [result, reason] = await resultOf(check, context)
  const exchanges = [...context.exchanges]
  await context.cleanUp()
  return { check, binding, result, reason, exchanges, milliseconds: Math.round(performance.now() - start) }
}

async function resultOf(check: Check, context: CheckContext): Promise<[Finding['result'], string | undefined]> {
  const { target, binding } = context
  if (!target.bindings.includes(binding)) return ['skipped', `The business does not offer ${names[binding]}.`]
  const missing = check.needs.filter((name) => !target.capability(name))
  if (missing.length > 0) return ['skipped', `The business does not offer ${missing.join(', ')}.`]
  try {
    await check.run(context)
    return ['proven', undefined]
  } catch (error) {
    if (error instanceof Skip) return ['skipped', error.message]
    const result = check.isPending ? 'warned' : 'failed'
    if (error instanceof Mismatch) return [result, error.message]
    return [result, `an unexpected error stopped the check: ${error instanceof Error ? error.message : error}`]
  }
}
