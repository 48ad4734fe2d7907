import { recordOf } from '../../infra/util/record-of.ts'

/** The description in OpenAPI 3.0.3, for generators that do not read 3.1. It has no webhooks, and every rule stays. */
export function inOpenapi30(document: object): object {
  const { openapi: _, webhooks: __, info, ...rest } = recordOf(document)
  const { name } = recordOf(recordOf(info).license)
  const described = recordOf(asOf30(rest))
  return { openapi: '3.0.3', info: { ...recordOf(info), license: { name } }, ...described }
}

function asOf30(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asOf30)
  if (typeof value !== 'object' || value === null) return value
  const { example, ...members } = recordOf(value)
  const converted = Object.fromEntries(Object.entries(members).map(([name, member]) => [name, asOf30(member)]))
  return { ...converted, ...(example !== undefined && { example }), ...rewritten(converted, members) }
}

/** What 3.0 writes otherwise. A member that it lacks is `undefined`, and so is left out of the text. */
function rewritten(schema: Record<string, unknown>, { const: constant, examples }: Record<string, unknown>) {
  const { type, $ref } = schema
  const isNullable = Array.isArray(type) && type.includes('null')
  return {
    ...(isNullable && { type: type.find((one) => one !== 'null'), nullable: true }),
    ...(constant !== undefined && { const: undefined, enum: [constant] }),
    ...(Array.isArray(examples) && { examples: undefined, example: examples[0] }),
    // Beside a reference it reads nothing.
    ...($ref !== undefined && Object.keys(schema).length > 1 && { $ref: undefined, allOf: [{ $ref }] }),
  }
}
