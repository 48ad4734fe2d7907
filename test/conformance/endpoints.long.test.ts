import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { salon } from '../booking-flow/visitor.ts'
import { serverWithAllInterfaces } from '../support/server.ts'
import { conformance } from './runner.ts'

const server = await serverWithAllInterfaces(salon())
const origin = await server.app.listen({ host: '127.0.0.1', port: 0 })

const read = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8')
/** The runner takes one file. */
const ofUsp = join(mkdtempSync(join(tmpdir(), 'usp-expected-')), 'expected-failures.yaml')
writeFileSync(ofUsp, read('expected-failures.yaml') + read('expected-failures-usp.yaml'))
const EXPECTED = { '/mcp': join(import.meta.dirname, 'expected-failures.yaml'), '/usp/mcp': ofUsp } as const

const REVISIONS = ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28']

test.each((['/mcp', '/usp/mcp'] as const).flatMap((path) => REVISIONS.map((revision) => [path, revision] as const)))(
  '[the official runner] passes %s by the revision %s',
  async (path, revision) => {
    const { code, output } = await conformance([
      ...['server', '--url', origin + path, '--suite', 'all', '--spec-version', revision],
      ...['--expected-failures', EXPECTED[path]],
    ])
    expect(output).toMatch(/Total: [1-9]\d* passed|server-session-lifecycle/)
    expect(code, output.slice(output.indexOf('=== SUMMARY'))).toBe(0)
  },
)
