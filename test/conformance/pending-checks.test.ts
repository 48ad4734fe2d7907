import { expect, test } from 'vitest'
import { check } from '../../packages/conformance/checks/check.ts'
import { junitOf } from '../../packages/conformance/report/junit.ts'
import { type Results, resultsOf } from '../../packages/conformance/report/results.ts'
import { summary } from '../../packages/conformance/report/terminal.ts'
import { readRules } from '../../packages/conformance/rules/rule.ts'
import type { RunEnvironment } from '../../packages/conformance/run/check-context.ts'
import { Mismatch } from '../../packages/conformance/run/mismatch.ts'
import { runChecks } from '../../packages/conformance/run/run-checks.ts'
import type { Target } from '../../packages/conformance/target/target.ts'

const fails = () => Promise.reject(new Mismatch('a service', 'nothing'))

async function resultsOfRun(options: { isPending: boolean }): Promise<[Results, string]> {
  const checks = [check('CAT-001', 'The business lists its services', fails, { ...options, only: 'rest' })]
  // A report needs no more of the tested server.
  const server = { bindings: ['rest'], origin: 'https://book.example', business: { name: 'A business' } }
  const target = server as unknown as Target
  const findings = await runChecks(checks, { target } as RunEnvironment, { atOnce: 1, onFinding: () => {} })
  const results = resultsOf({ target, seed: 1, startedAt: new Date(0) }, readRules(), findings, [])
  return [results, summary(results.levels, findings)]
}

test('[conformance suite] a pending check warns with its evidence, and breaks no rule', async () => {
  const [results, text] = await resultsOfRun({ isPending: true })
  const { checks, levels, rules } = results
  expect(checks).toMatchObject([{ result: 'warned', reason: 'expected a service, found nothing', evidence: [] }])
  expect(levels.map(({ counts }) => counts.failed)).toEqual([0, 0, 0, 0, 0, 0])
  expect(rules.find(({ id }) => id === 'CAT-001')).toMatchObject({
    verdict: 'skipped',
    reason: 'expected a service, found nothing',
  })
  expect(text).toContain('New checks found errors: 1.')
  expect(junitOf(results)).toContain('failures="0" skipped="1"')
})

test('[conformance suite] the same check breaks its rule when it is no longer pending', async () => {
  const [{ checks, levels, rules }, text] = await resultsOfRun({ isPending: false })
  expect(checks).toMatchObject([{ result: 'failed' }])
  expect(levels.find(({ level }) => level === 'Core')?.counts.failed).toBe(1)
  expect(rules.find(({ id }) => id === 'CAT-001')).toMatchObject({ verdict: 'failed' })
  expect(text).not.toContain('New checks')
})
