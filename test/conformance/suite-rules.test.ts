import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { allAttacks } from '../../packages/conformance/attacks/all-attacks.ts'
import { allChecks } from '../../packages/conformance/checks/all-checks.ts'
import { ESSENTIAL, ESSENTIAL_OF_UCP } from '../../packages/conformance/rules/essential-rules.ts'
import { readRules } from '../../packages/conformance/rules/rule.ts'

const suite = join(import.meta.dirname, '../../packages/conformance')
const rules = readRules()
const every = [...allChecks, ...allAttacks(1)]
const checked = new Set(allChecks.flatMap((check) => check.rules))

test('[conformance suite] each check names rules that exist, and none that a person could not see', () => {
  const named = [...new Set(every.flatMap((check) => check.rules))]
  const unknown = named.filter((id) => !rules.has(id))
  expect(unknown).toEqual([])
  const invisible = named.filter((id) => rules.get(id)?.visibility === 'no')
  expect(invisible).toEqual([])
})

test('[conformance suite] each essential rule has a check', () => {
  const ids = [ESSENTIAL, ESSENTIAL_OF_UCP].flatMap((essential) => Object.values(essential).flat())
  const missing = ids.filter((id) => !checked.has(id))
  expect(missing).toEqual([])
})

test('[conformance suite] two checks never have the same title', () => {
  const titles = every.map(({ title }) => title)
  expect(titles.filter((title, nth) => titles.indexOf(title) !== nth)).toEqual([])
})

test('[conformance suite] shares no code with the server', () => {
  const imports = globSync('**/*.ts', { cwd: suite, exclude: (name) => name === 'dist' }).flatMap((file) =>
    [...readFileSync(join(suite, file), 'utf8').matchAll(/from '([^']+)'/g)].map(([, path = '']) => ({ file, path })),
  )
  const outside = imports.filter(({ file, path }) => {
    if (path.startsWith('node:') || ['ajv/dist/2020.js', 'ajv-formats'].includes(path)) return false
    return !path.startsWith('.') || join(file, '..', path).startsWith('..')
  })
  expect(outside).toEqual([])
})
