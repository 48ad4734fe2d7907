import { asRecord } from '../../../infra/util/records.ts'
import { documents, type Schema } from '../../../protocol/schemas.ts'

const { $defs = {} } = documents.get('urn:usp-server:business-definition') ?? {}

/** Follows references. Of several branches it takes the one for the value's type, else the first. */
export function resolved(schema: Schema, value: unknown): Schema {
  if (typeof schema.$ref === 'string') return resolved($defs[schema.$ref.replace(/^.*\//, '')] ?? {}, value)
  const branches = schema.type === undefined ? (schema.oneOf ?? schema.anyOf) : undefined
  if (!Array.isArray(branches)) return schema
  const isOf = (branch: Schema) => branch.type === (Array.isArray(value) ? 'array' : typeof value)
  return { ...(branches.find(isOf) ?? branches[0]), description: schema.description }
}

export const definitionSchema: Schema = resolved({ $ref: 'BusinessDefinition' }, undefined)

/** Members of an object with their schemas; empty for an object with free members. */
export const membersOf = ({ properties }: Schema): [name: string, schema: Schema][] =>
  Object.entries(asRecord(properties)).map(([name, schema]) => [name, asRecord(schema)])

export const isRequired = ({ required }: Schema, name: string): boolean =>
  Array.isArray(required) && required.includes(name)

export const itemsOf = ({ items }: Schema): Schema => resolved(asRecord(items), undefined)

/** Allowed values: the enum, or the alternatives at the start of the pattern. */
export function valuesOf({ enum: listed, pattern }: Schema): string[] {
  if (Array.isArray(listed)) return listed.map(String)
  const [, named = ''] = typeof pattern === 'string' ? (/^\^\(([a-z_]+(?:\|[a-z_]+)+)/.exec(pattern) ?? []) : []
  return named === '' ? [] : named.split('|')
}
