import type { Binding } from '../caller/caller.ts'
import type { Exchange } from '../caller/exchange.ts'
import type { Check } from '../checks/check.ts'
import { CheckContext, type RunEnvironment } from './check-context.ts'
import { Mismatch, Skip } from './mismatch.ts'

/** What one check showed over one binding. */
export interface Finding {
  check: Check
  binding: Binding
  result: 'proven' | 'failed' | 'skipped'
  /** What the server did wrong, or why the check was skipped. */
  reason: string | undefined
  exchanges: Exchange[]
  milliseconds: number
}

export interface RunOptions {
  /** How many checks run at the same time. */
  atOnce: number
  /** True: a failed check runs once more, while no other check runs, and only fails if it fails again. */
  repeatsFailures?: boolean
  onFinding: (finding: Finding) => void
}

/** Runs the checks over each binding that the server offers. The findings are in the order of the checks. */
export async function runChecks(checks: Check[], environment: RunEnvironment, options: RunOptions): Promise<Finding[]> {
  const { bindings } = environment.target
  const runs = checks.flatMap((check) =>
    check.bindings.filter((binding) => bindings.includes(binding)).map((binding) => ({ check, binding })),
  )
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

async function runCheck(check: Check, binding: Binding, environment: RunEnvironment): Promise<Finding> {
  const start = performance.now()
  const context = new CheckContext(environment, binding, { newPlatform: check.newPlatform })
  const [result, reason] = await resultOf(check, context)
  const exchanges = [...context.exchanges]
  await context.cleanUp()
  return { check, binding, result, reason, exchanges, milliseconds: Math.round(performance.now() - start) }
}

async function resultOf(check: Check, context: CheckContext): Promise<[Finding['result'], string | undefined]> {
  const missing = check.needs.filter((name) => !context.target.capability(name))
  if (missing.length > 0) return ['skipped', `The business does not offer ${missing.join(', ')}.`]
  try {
    await check.run(context)
    return ['proven', undefined]
  } catch (error) {
    if (error instanceof Skip) return ['skipped', error.message]
    if (error instanceof Mismatch) return ['failed', error.message]
    return ['failed', `the check could not go on: ${error instanceof Error ? error.message : error}`]
  }
}
