import { asRecord } from '../../infra/util/object-members.ts'

/**
 * Converts the OpenAPI document to version 3.0.3, for code generators that cannot read version 3.1. The result keeps
 * all validation rules, but has no webhooks.
 */
export function inOpenapi30(document: object): object {
  const { openapi: _, webhooks: __, info, ...rest } = asRecord(document)
  const { name } = asRecord(asRecord(info).license)
  const described = asRecord(asOf30(rest))
  return { openapi: '3.0.3', info: { ...asRecord(info), license: { name } }, ...described }
}

function asOf30(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asOf30)
  if (typeof value !== 'object' || value === null) return value
  const { example, ...members } = asRecord(value)
  const converted = Object.fromEntries(Object.entries(members).map(([name, member]) => [name, asOf30(member)]))
  return { ...converted, ...(example !== undefined && { example }), ...rewritten(converted, members) }
}

/**
 * Returns the keywords of a schema that are different in OpenAPI 3.0. The value `undefined` means that the keyword is
 * removed.
 */
function rewritten(schema: Record<string, unknown>, { const: constant, examples }: Record<string, unknown>) {
  const { type, $ref } = schema
  const isNullable = Array.isArray(type) && type.includes('null')
  return {
    ...(isNullable && { type: type.find((one) => one !== 'null'), nullable: true }),
    ...(constant !== undefined && { const: undefined, enum: [constant] }),
    ...(Array.isArray(examples) && { examples: undefined, example: examples[0] }),
    // OpenAPI 3.0 ignores all schema keywords next to a `$ref`, so the reference moves into `allOf`.
    ...($ref !== undefined && Object.keys(schema).length > 1 && { $ref: undefined, allOf: [{ $ref }] }),
  }
}
