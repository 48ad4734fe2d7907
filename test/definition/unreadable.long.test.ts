import { join } from 'node:path'
import { expect, test as sequential } from 'vitest'
import { freshDatabase } from '../support/database.ts'
import { businessWith, service } from '../support/definitions.ts'
import { commandLine } from './command.ts'

/** Each is a process of its own, and none changes anything. */
const test = sequential.concurrent

const { usp, file, fileOf, folder } = commandLine(await freshDatabase())
const cut = service('svc_cut')
const STACK = /^\s+at /m

test('[DEF-001] every fault is named by file, line and path, in YAML too', async () => {
  const content = `
business: { id: biz_test, name: Test Studio, timezone: America/New_York, currency: USD }
services:
  - id: svc_cut
    name: Cut
    type: haircut
    duration: { fixed: 60m }
    pricing:
      model: fixed
      amount: 75.5
      currency: USD
    channel:
      type: in_person
    policies: ${JSON.stringify(cut.policies)}
`
  const path = file('faulty.yaml', content)
  const lineOf = (part: string) => content.split('\n').findIndex((line) => line.includes(part)) + 1
  const { code, out, err } = await usp('apply', path)
  expect({ code, out }).toEqual({ code: 1, out: '' })
  const [headline, ...faults] = err.trim().split('\n')
  expect(headline).toBe(`${path} was not applied:`)
  expect(faults.map((fault) => fault.split(' ').slice(0, 2).join(' ')).sort()).toEqual(
    [
      `${path}:${lineOf('haircut')}: services[svc_cut].type`,
      `${path}:${lineOf('60m')}: services[svc_cut].duration.fixed`,
      `${path}:${lineOf('75.5')}: services[svc_cut].pricing.amount`,
      `${path}:${lineOf('in_person')}: services[svc_cut].channel.type`,
    ].sort(),
  )
})

test('a fault says what is meant to whoever does not read patterns', async () => {
  const wrong = {
    ...businessWith([{ ...cut, duration: { fixed: '60 min' } }]),
    hours: [{ days: ['monday'], opens: '9:00', closes: '18:00' }],
    closures: [{ from: '24.12.2026', to: '2026-12-26' }],
  }
  const { err } = await usp('apply', file('said.json', JSON.stringify(wrong)))
  expect(err).toMatch(/ hours\[0\]\.opens must match pattern .*: Local time, HH:MM\.$/m)
  expect(err).toMatch(/ closures\[0\]\.from must be a day, such as 2026-12-24$/m)
  expect(err).toMatch(/\.duration\.fixed must be a duration of ISO 8601, such as PT90M or P2D$/m)
})

test('whoever misspells a setting reads which there are', async () => {
  const misspelled = { ...businessWith([cut]), payments: { manual: { text: 'Cash' } } }
  const { err } = await usp('apply', file('misspelled.json', JSON.stringify(misspelled)))
  expect(err).toMatch(/ payments\.manual\.text is not known here; known members are how, bank_transfer, phone$/m)
})

const tenfold = (name: string) => `[${Array.from({ length: 10 }, () => `*${name}`).join(', ')}]`
const endless = `a: &a [1, 1]\nb: &b ${tenfold('a')}\nc: &c ${tenfold('b')}\nd: ${tenfold('c')}\n`

const unreadable: [string, string[], RegExp][] = [
  ['a file that does not exist', [join(folder, 'nowhere.yaml')], /nowhere\.yaml/],
  ['a folder', [folder], /usp-apply-/],
  ['no file', [], /usp apply FILE/],
  ['two files', ['one.yaml', 'two.yaml'], /usp apply FILE/],
  ['an unknown option', ['--dryrun', 'one.yaml'], /--dryrun/],
  ['broken YAML', [file('broken.yaml', 'business:\n  name: "Studio\nservices: []\n')], /broken\.yaml.*\b[34]\b/],
  ['a member given twice', [file('twice.yaml', 'services: []\nservices: []\n')], /twice\.yaml.*\b2\b/],
  ['a YAML alias to nothing', [file('alias.yaml', 'services: *none\n')], /alias\.yaml/],
  ['YAML aliases that multiply without end', [file('endless.yaml', endless)], /endless\.yaml/],
]
test.each(unreadable)('%s is answered with one clear line and exit code 1', async (_, args, names) => {
  const { code, out, err } = await usp('apply', ...args)
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).not.toMatch(STACK)
  expect(err).toMatch(names)
  expect(err.trim().split('\n')).toHaveLength(1)
})

test('an empty file is refused without a stack trace', async () => {
  const { code, err } = await usp('apply', file('empty.yaml', ''))
  expect(code).toBe(1)
  expect(err).toMatch(/empty\.yaml was not applied:\n.+\n$/)
})

test.each([
  ['a price beyond all money', { ...cut, pricing: { ...cut.pricing, amount: 1e30 } }, 'pricing.amount'],
  ['a category id with a NUL', { ...cut, categories: [{ taxonomy: 'merchant', id: 'a\0' }] }, 'categories'],
])('[DEF-001] %s is refused by its place, not by the database', async (name, wrong, place) => {
  const { code, err } = await usp('apply', fileOf(`${name}.json`, wrong))
  expect(code).toBe(1)
  expect(err).not.toMatch(STACK)
  expect(err).toContain(`services[svc_cut].${place}`)
})
