import { expect, test } from 'vitest'
import { compile, faultsOf, findingsOf } from '../../src/protocol/schema-validator.ts'
import { oneOf } from '../support/case-sampling.ts'
import { slowOf } from './measure.ts'
import { calls } from './source.ts'
import { judges, unfair } from './validators.ts'

/** What is compiled and holds nothing from outside: our own answers, settings, and the way itself. */
const ours = ['answerSchema(operation)', '{ ...schema }', 'schema']
/** Where addresses or statements are compiled. */
const noSchemas = [
  'interfaces/http/recognize-network-peer.ts',
  'interfaces/http/create-fastify-app.ts',
  'infra/db/prepared-statements.ts',
]
/** What the operator restores and imports, on a command line. */
const ofOperator = ['core/backup/validate-backup-records.ts', 'interfaces/imports/row-to-booking.ts']
/** What is compiled of every operation, and of every tool of assistants: each of them is put to the test. */
const ofOperations = ['operation.input', 'metaSchema(operation) ?? businessMeta', 'closed']

test('[no validator stalls the server] each one, on documents that are hostile in one place', async () => {
  const { measured, slow } = await slowOf(new URL('./validators.ts', import.meta.url), { oneOf: oneOf() })
  expect(measured).toBeGreaterThan(judges.length / oneOf())
  expect(slow).toEqual([])
}, 240_000)

test('[no validator stalls the server] the documents are refused for nothing but what is hostile in them', () => {
  expect(unfair()).toEqual([])
})

test('[no validator stalls the server] whatever the source compiles is among them, or is our own', () => {
  const compiled = calls.filter(({ name, file }) => /(^|\.)compile$/.test(name) && !noSchemas.includes(file))
  const strange = compiled.filter(
    ({ file, given }) =>
      !ofOperator.includes(file) &&
      !ours.includes(given) &&
      !ofOperations.includes(given) &&
      !/^shape\('\w+'\)$/.test(given),
  )
  expect(strange).toEqual([])
})

test('[no validator stalls the server] a small value is told all its faults, a large one the first', () => {
  const validator = compile({ type: 'array', items: { type: 'string' } })
  const wrong = (count: number) => Array(count).fill(1)
  const toldOf = (value: unknown) => [validator(value), findingsOf(validator, value).faults.length]
  expect(toldOf(wrong(3))).toEqual([false, 3])
  expect(toldOf(wrong(2_000))).toEqual([false, 1])
  validator(wrong(3))
  expect(faultsOf(validator)).toHaveLength(1)
})

test('[no validator stalls the server] items are unlike whatever the order of their members', () => {
  const validator = compile({ type: 'array', uniqueItems: true })
  expect(
    validator([
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ]),
  ).toBe(false)
  expect(validator([{ a: 1 }, { a: '1' }, [1], '1', 1, null, 'null'])).toBe(true)
})
