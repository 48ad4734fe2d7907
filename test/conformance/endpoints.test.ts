import { expect, test } from 'vitest'
import { salon } from '../book/visitor.ts'
import { testServer } from '../support/server.ts'
import { conformance } from './runner.ts'

const server = await testServer(salon())
const origin = await server.app.listen({ host: '127.0.0.1', port: 0 })

const REVISIONS = ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28']

test.each(['/mcp', '/usp/mcp'].flatMap((path) => REVISIONS.map((revision) => [path, revision] as const)))(
  '[the official runner] passes %s by the revision %s',
  async (path, revision) => {
    const { code, output } = await conformance([
      ...['server', '--url', origin + path, '--suite', 'all', '--spec-version', revision],
      ...['--expected-failures', 'test/conformance/expected-failures.yaml'],
    ])
    expect(output).toMatch(/Total: [1-9]\d* passed|server-session-lifecycle/)
    expect(code, output.slice(output.indexOf('=== SUMMARY'))).toBe(0)
  },
)
