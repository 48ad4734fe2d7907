import { expect, onTestFinished, test } from 'vitest'
import { sendConsoleToLog } from '../../src/infra/telemetry/redacting-log.ts'

test('what a library prints to the console is a line of the log', () => {
  const { info, warn } = console
  onTestFinished(() => void Object.assign(console, { info, warn }))
  const lines: unknown[][] = []
  const keep =
    (level: string) =>
    (...parts: unknown[]) =>
      void lines.push([level, ...parts])
  sendConsoleToLog({ info: keep('info'), warn: keep('warn') })
  console.info('oidc-provider NOTICE: %s', 'a default is used')
  console.warn('oidc-provider WARNING: already parsed request body detected')
  expect(lines).toEqual([
    ['info', { from: 'console' }, 'oidc-provider NOTICE: a default is used'],
    ['warn', { from: 'console' }, 'oidc-provider WARNING: already parsed request body detected'],
  ])
})
