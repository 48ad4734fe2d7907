import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'

/** What a file runs with, types left out. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  return [...text.matchAll(/^(?:import|export) (?!type )[^;]*?from '(\.[^']+)'/gm)].map(([, to = '']) =>
    join(file, '..', to),
  )
}

function reachedFrom(file: string, reached = new Set<string>()): Set<string> {
  if (reached.has(file)) return reached
  reached.add(file)
  for (const to of importsOf(file)) reachedFrom(to, reached)
  return reached
}

const OUTSIDE =
  /^src\/(core\/(egress|mails\/(smtp|send-mail)|events\/send-event)|domain\/payments\/(providers?|stripe|refund-worker))/

test('nothing that is done now and again calls outside: what comes after it would wait for the answer', () => {
  const reached = [...reachedFrom('src/cli/recurring-job-list.ts')].map((file) => relative('.', file))
  expect(reached).toContain('src/domain/bookings/send-reminders.ts')
  expect(reached.filter((file) => OUTSIDE.test(file))).toEqual([])
  expect(
    [...reachedFrom('src/cli/run-background-work.ts')].filter((file) => OUTSIDE.test(file)).length,
  ).toBeGreaterThan(5)
})
