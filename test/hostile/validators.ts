import { PROFILE_BOUNDS as ofProfiles } from '../../src/core/profiles/profile-document.ts'
import { feedBounds as ofFeeds } from '../../src/domain/registry/indexing/read-feed-page.ts'
import { toolsOf } from '../../src/interfaces/assistant/tool-list.ts'
import { type Schema, shape } from '../../src/protocol/json-schemas.ts'
import { metaSchema } from '../../src/protocol/operation-validators.ts'
import { bodyBounds } from '../../src/protocol/parse-json-safely.ts'
import { compile, faultsOf, findingsOf, type Validator } from '../../src/protocol/schema-validator.ts'
import { operations } from '../../src/server/all-operations.ts'
import { example, hostileDocuments } from './documents.ts'
import type { Subject } from './measure.ts'
import { calls } from './source.ts'

/** A schema that something from outside is held against, and how many values that may have. */
interface Judge {
  name: string
  schema: Schema
  largest: number
  /** What is done with what does not fit. */
  explain(validator: Validator, value: unknown): unknown
}

/** Shapes that are compiled by name, wherever in the source: those of documents that are fetched. */
const named: Judge[] = calls.flatMap(({ name, given }) => {
  const [, shapeName] = name === 'compile' ? (/^shape\('(\w+)'\)$/.exec(given) ?? []) : []
  // What the operator writes is read on a command line.
  if (shapeName === undefined || shapeName === 'BusinessDefinition') return []
  const largest = (shapeName.endsWith('Profile') ? ofProfiles : ofFeeds).mostValues
  return [{ name: shapeName, schema: shape(shapeName), largest, explain: faultsOf }]
})

const ofCalls: Judge[] = operations.flatMap((operation) => {
  const { id, input } = operation
  const meta = metaSchema(operation)
  const common = { largest: bodyBounds.mostValues, explain: findingsOf }
  return [
    { name: `input of ${id}`, schema: input, ...common },
    ...(meta ? [{ name: `_meta of ${id}`, schema: meta, ...common }] : []),
  ]
})

const ofAssistants: Judge[] = [true, false].flatMap(toolsOf).map(({ name, input }) => ({
  name: `input of ${name}`,
  schema: input,
  largest: bodyBounds.mostValues,
  explain: findingsOf,
}))

/** Those that are alike are put to the test once. */
export const judges: Judge[] = [
  ...new Map([...ofCalls, ...ofAssistants, ...named].map((judge) => [JSON.stringify(judge.schema), judge])).values(),
]

/** Those whose hostile documents would be refused for what is not hostile in them. */
export const unfair = () =>
  judges.filter(({ schema }) => !compile(schema)(example(schema))).map(({ name, schema }) => [name, example(schema)])

export const subjects = (): Record<string, Subject> =>
  Object.fromEntries(
    judges.flatMap(({ name, schema, largest, explain }) => {
      const validator = compile(schema)
      return hostileDocuments(schema).map(({ what, make }, index): [string, Subject] => [
        `${name} ${index}: ${what}`,
        {
          largest,
          prepare(values) {
            const document = make(Math.floor(values))
            return () => validator(document) || explain(validator, document)
          },
        },
      ])
    }),
  )
