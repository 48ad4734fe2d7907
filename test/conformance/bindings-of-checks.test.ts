import { expect, test } from 'vitest'
import type { Binding } from '../../packages/conformance/caller/caller.ts'
import { type CheckOptions, check } from '../../packages/conformance/checks/check.ts'
import type { RunEnvironment } from '../../packages/conformance/run/check-context.ts'
import { runChecks } from '../../packages/conformance/run/run-checks.ts'
import { Target } from '../../packages/conformance/target/target.ts'

const targetWith = (...bindings: Binding[]) => {
  const offered = bindings.map((transport) => ({ transport, endpoint: `https://book.example/${transport}` }))
  return new Target('https://book.example', { usp: { services: { 'dev.usp-protocol.services': offered } } })
}

async function resultsOf(options: CheckOptions, ...bindings: Binding[]): Promise<string[]> {
  const checks = [check('CAT-001', 'The business lists its services', async () => {}, options)]
  const environment = { target: targetWith(...bindings) } as RunEnvironment
  const findings = await runChecks(checks, environment, { atOnce: 1, onFinding: () => {} })
  return findings.map(({ binding, result, reason }) => [binding, result, reason].filter(Boolean).join(' '))
}

const noRest = 'rest skipped The business does not offer REST.'
const noMcp = 'mcp skipped The business does not offer MCP.'

test.each<[string, CheckOptions, both: string[], rest: string[], mcp: string[]]>([
  ['of both bindings', {}, ['rest proven', 'mcp proven'], ['rest proven'], ['mcp proven']],
  ['that runs once', { once: true }, ['rest proven'], ['rest proven'], ['mcp proven']],
  ['of REST', { only: 'rest' }, ['rest proven'], ['rest proven'], [noRest]],
  ['of MCP', { only: 'mcp' }, ['mcp proven'], [noMcp], ['mcp proven']],
])(
  '[conformance suite] runs a check %s over the offered bindings, or gives a reason',
  async (_, options, ...wanted) => {
    expect(await resultsOf(options, 'rest', 'mcp')).toEqual(wanted[0])
    expect(await resultsOf(options, 'rest')).toEqual(wanted[1])
    expect(await resultsOf(options, 'mcp')).toEqual(wanted[2])
  },
)

test('[conformance suite] needs a server with REST or MCP', () => {
  expect(() => targetWith().firstBinding).toThrow('has no REST or MCP endpoint')
})
