import { recordOf } from '../../../infra/util/record-of.ts'
import { documents, type Schema } from '../../../protocol/schemas.ts'

const { $defs = {} } = documents.get('urn:usp-server:business-definition') ?? {}

/** What stands behind a reference; of a choice the branch that a value is in, and the first for none. */
export function resolved(schema: Schema, value: unknown): Schema {
  if (typeof schema.$ref === 'string') return resolved($defs[schema.$ref.replace(/^.*\//, '')] ?? {}, value)
  const branches = schema.type === undefined ? (schema.oneOf ?? schema.anyOf) : undefined
  if (!Array.isArray(branches)) return schema
  const isOf = (branch: Schema) => branch.type === (Array.isArray(value) ? 'array' : typeof value)
  return { ...(branches.find(isOf) ?? branches[0]), description: schema.description }
}

export const definitionSchema: Schema = resolved({ $ref: 'BusinessDefinition' }, undefined)

/** The members of an object, each with its schema; none of what may have any. */
export const membersOf = ({ properties }: Schema): [name: string, schema: Schema][] =>
  Object.entries(recordOf(properties)).map(([name, schema]) => [name, recordOf(schema)])

export const isRequired = ({ required }: Schema, name: string): boolean =>
  Array.isArray(required) && required.includes(name)

export const itemsOf = ({ items }: Schema): Schema => resolved(recordOf(items), undefined)

/** What it may be, as far as it is listed: in a pattern before what else may be. */
export function valuesOf({ enum: listed, pattern }: Schema): string[] {
  if (Array.isArray(listed)) return listed.map(String)
  const [, named = ''] = typeof pattern === 'string' ? (/^\^\(([a-z_]+(?:\|[a-z_]+)+)/.exec(pattern) ?? []) : []
  return named === '' ? [] : named.split('|')
}
