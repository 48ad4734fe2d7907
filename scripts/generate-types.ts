import { compile, type JSONSchema } from 'json-schema-to-typescript'
import { ucpOperations } from '../src/domain/ucp-checkouts/operations.ts'
import { simplifySchemas } from '../src/interfaces/docs/simplify-schemas.ts'
import { bundle, documents, ORIGIN, type Schema } from '../src/protocol/json-schemas.ts'
import { operations } from '../src/server/all-operations.ts'

const BANNER = '// Generated from schemas/ and the operations by `npm run generate`. Do not edit.\n'
const PREFIX = '#/definitions/'

/** Returns the name of the type for the input and output of an operation. */
export const typeNameOf = (operationId: string) => operationId.replace(/^\w/, (letter) => letter.toUpperCase())

/** Generates one type for each named schema, and one for the input and output of each operation. */
export async function generateTypes(): Promise<string> {
  const definitions: Record<string, unknown> = {}
  for (const { $id, $defs } of documents.values())
    bundle(
      Object.keys($defs).map((name) => ({ $ref: `${$id}#/$defs/${name}` })),
      ORIGIN,
      PREFIX,
      definitions,
    )
  const properties: Record<string, unknown> = {}
  for (const { id, input, output } of [...operations, ...ucpOperations]) {
    const exchange = bundle({ input, output }, ORIGIN, PREFIX, definitions)
    definitions[typeNameOf(id)] = { type: 'object', required: ['input', 'output'], properties: exchange }
  }
  for (const name of Object.keys(definitions)) properties[name] = { $ref: PREFIX + name }
  return compile(
    { title: 'Everything', type: 'object', definitions: named(definitions), properties } as JSONSchema,
    'Everything',
    {
      additionalProperties: false,
      bannerComment: BANNER,
      ignoreMinAndMaxItems: true,
      format: true,
      style: { singleQuote: true, semi: false, printWidth: 120 },
    },
  )
}

const typeNames: Record<string, string> = { response_schema: 'UspMeta', base: 'UspBase' }

/**
 * Gives each schema its key as the title, because the generator names types by titles. Removes the descriptions, which
 * stay in the schemas.
 */
const named = (definitions: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(definitions).map(([name, schema]) => [
      name,
      { title: typeNames[name] ?? name, ...(bare(simplifySchemas(schema)) as Schema) },
    ]),
  )

const PROSE = ['title', 'description', '$comment']

function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(
    ([keyword, child]) => !(PROSE.includes(keyword) && typeof child === 'string'),
  )
  return Object.fromEntries(members.map(([keyword, child]) => [keyword, bare(child)]))
}
