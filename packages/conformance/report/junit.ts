import { escaped } from './markup.ts'
import type { CheckResult, Results } from './results.ts'

/** Returns the results as JUnit XML. Each binding (REST, MCP) is one test suite. */
export function junitOf({ checks }: Results): string {
  const bindings = new Set(checks.map(({ binding }) => binding))
  const suites = [...bindings].map((binding) => {
    const own = checks.filter((check) => check.binding === binding)
    const count = (...results: string[]) => own.filter(({ result }) => results.includes(result)).length
    const seconds = own.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1000
    return [
      `  <testsuite name="${escaped(binding)}" tests="${own.length}" failures="${count('failed')}" skipped="${count('skipped', 'warned')}" time="${seconds}">`,
      ...own.map(testCase),
      '  </testsuite>',
    ].join('\n')
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="usp-conformance">\n${suites.join('\n')}\n</testsuites>\n`
}

function testCase({ title, rules, binding, result, reason = '', milliseconds }: CheckResult): string {
  const attributes = `classname="${escaped(binding)}" name="${escaped(`[${rules.join(' ')}] ${title}`)}" time="${milliseconds / 1000}"`
  if (result === 'proven') return `    <testcase ${attributes}/>`
  const detail =
    result === 'failed' ? `<failure message="${escaped(reason)}"/>` : `<skipped message="${escaped(reason)}"/>`
  return `    <testcase ${attributes}>${detail}</testcase>`
}
