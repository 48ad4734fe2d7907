import { type Operation, restRouteOf } from '../../protocol/define-operation.ts'
import type { Schema } from '../../protocol/json-schemas.ts'
import { isConditional } from './error-codes-of-operation.ts'
import { exampleBody, exampleParameter } from './openapi-examples.ts'

export function parametersOf(operation: Operation) {
  const { parameters, inBody } = restRouteOf(operation)
  return [
    ...headersOf(operation),
    ...parameters.map((name) => parameter(operation, name, 'path')),
    ...(inBody ? [] : othersOf(operation).map((name) => parameter(operation, name, 'query'))),
  ]
}

export function bodyOf(operation: Operation) {
  const members = othersOf(operation)
  if (!restRouteOf(operation).inBody || members.length === 0) return {}
  const { properties, required = [], ...more } = operation.input
  const needed = required.filter((name) => members.includes(name))
  const bodySchema: Schema = {
    ...more,
    properties: Object.fromEntries(members.map((name) => [name, properties[name]])),
  }
  const schema = needed.length > 0 ? { ...bodySchema, required: needed } : bodySchema
  return {
    requestBody: {
      required: needed.length > 0,
      content: { 'application/json': { schema, example: exampleBody(operation, members) } },
    },
  }
}

const othersOf = (operation: Operation): string[] =>
  Object.keys(operation.input.properties).filter((name) => !restRouteOf(operation).parameters.includes(name))

function parameter({ input }: Operation, name: string, place: 'path' | 'query') {
  const { description, ...schema } = { description: undefined, ...input.properties[name] }
  const required = place === 'path' || (input.required ?? []).includes(name)
  return { name, in: place, required, description, schema: neverNull(schema), ...exampleParameter(name, required) }
}

/**
 * Removes `null` from the types of a parameter in the OpenAPI document, because a URL or header cannot contain null.
 */
function neverNull(schema: Schema): Schema {
  if (!Array.isArray(schema.type)) return schema
  const [type, ...others] = schema.type.filter((one) => one !== 'null')
  return { ...schema, type: others.length > 0 ? [type, ...others] : type }
}

function headersOf(operation: Operation) {
  const { access, effect } = operation
  return [
    ...(access === 'business_only' ? [] : [{ ...agent, required: access !== 'public' }]),
    ...(effect === 'read' ? [] : [idempotencyKey]),
    ...(isConditional(operation) ? [ifMatch] : []),
    correlation,
  ]
}

const header = (name: string, description: string, schema: object) => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string', ...schema },
})

const agent = header(
  'USP-Agent',
  'Your platform profile, as profile="https://…". A business that has a UCP profile also takes it in `UCP-Agent`.',
  { pattern: '^(.*[ \\t,])?profile="https?://[^"]+"' },
)

const idempotencyKey = header(
  'Idempotency-Key',
  'A value of your own for this change, preferably a new UUID. Send the same value again to retry.',
  { pattern: '^[ -~]+$', minLength: 1, maxLength: 255 },
)

const ifMatch = header(
  'If-Match',
  'The `revision` that you have read. The call is refused if the resource has another one.',
  {},
)

const correlation = header(
  'USP-Correlation-Id',
  'A value of your own for the log of the server, without any other effect. Longer values are cut to 128 ' +
    'characters.',
  {},
)
