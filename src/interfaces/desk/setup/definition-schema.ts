import { asRecord } from '../../../infra/util/object-members.ts'
import { documents, type Schema } from '../../../protocol/json-schemas.ts'

const { $defs = {} } = documents.get('urn:usp-server:business-definition') ?? {}

/**
 * Follows the references (`$ref`) of a JSON schema. If the schema has several alternatives, chooses the alternative for
 * the type of the value, or else the first alternative. If one value can stand for a list with this value, chooses the
 * list, so that people can add more values.
 */
export function resolved(schema: Schema, value: unknown): Schema {
  if (typeof schema.$ref === 'string') return resolved($defs[schema.$ref.replace(/^.*\//, '')] ?? {}, value)
  const branches = schema.type === undefined ? (schema.oneOf ?? schema.anyOf) : undefined
  if (!Array.isArray(branches)) return schema
  const isOf = (branch: Schema) => branch.type === (Array.isArray(value) ? 'array' : typeof value)
  const isListOfOther = (branch: Schema) =>
    branches.some(({ type }) => type !== undefined && type === itemsOf(branch).type)
  return { ...(branches.find(isListOfOther) ?? branches.find(isOf) ?? branches[0]), description: schema.description }
}

export const definitionSchema: Schema = resolved({ $ref: 'BusinessDefinition' }, undefined)

/**
 * Returns the properties of an object schema, each with its own schema. The list is empty if the schema allows
 * properties with any name.
 */
export const membersOf = ({ properties }: Schema): [name: string, schema: Schema][] =>
  Object.entries(asRecord(properties)).map(([name, schema]) => [name, asRecord(schema)])

export const isRequired = ({ required }: Schema, name: string): boolean =>
  Array.isArray(required) && required.includes(name)

export const itemsOf = ({ items }: Schema): Schema => resolved(asRecord(items), undefined)

/**
 * Returns the allowed values of a property in the business definition. The values come from the enum of the schema, or
 * from the alternatives at the start of the schema's pattern.
 */
export function valuesOf({ enum: listed, pattern }: Schema): string[] {
  if (Array.isArray(listed)) return listed.map(String)
  const [, named = ''] = typeof pattern === 'string' ? (/^\^\(([a-z_]+(?:\|[a-z_]+)+)/.exec(pattern) ?? []) : []
  return named === '' ? [] : named.split('|')
}
