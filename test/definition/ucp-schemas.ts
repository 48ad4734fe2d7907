import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import published from '../support/ucp/published.json' with { type: 'json' }

const NAME = '^[a-z][a-z0-9-]*(\\.[a-z0-9_-]+)+$'

const date = { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' }
const uri = { type: 'string', format: 'uri' }
const entity = {
  type: 'object',
  required: ['version'],
  properties: { version: date, spec: uri, schema: uri, id: { type: 'string' }, config: { type: 'object' } },
}
const reached = {
  required: ['transport'],
  properties: { transport: { enum: ['rest', 'mcp', 'a2a', 'embedded'] }, endpoint: uri },
  if: { properties: { transport: { const: 'embedded' } } },
  else: { required: ['endpoint'] },
}
const keys = {
  type: 'array',
  items: { type: 'object', required: ['kid', 'kty'], properties: { use: { enum: ['sig', 'enc'] } } },
}

const name = { type: 'string', pattern: NAME }
const extending = {
  required: ['schema'],
  properties: { extends: { oneOf: [name, { type: 'array', minItems: 1, items: name }] } },
}

const byName = (...items: object[]) => ({
  type: 'object',
  propertyNames: name,
  additionalProperties: { type: 'array', items: { allOf: [entity, ...items] } },
})

const documentWith = (ucp: object) => ({
  type: 'object',
  required: ['ucp'],
  properties: { ucp, keys },
})

const inOurWords = documentWith({
  type: 'object',
  required: ['version', 'services', 'payment_handlers'],
  properties: {
    version: { const: '2026-08-25' },
    status: { enum: ['success', 'error'] },
    services: byName(reached),
    capabilities: byName(extending),
    payment_handlers: byName({ required: ['id'] }),
    supported_versions: { type: 'object', propertyNames: date, additionalProperties: uri },
  },
})

function compiled(document: object, parts: object[] = []): ValidateFunction {
  const ajv = formats.default(new Ajv2020({ strict: false, allErrors: true }))
  for (const part of parts) ajv.addSchema(part)
  return ajv.compile(document)
}

/** What a business profile of UCP 2026-08-25 must have: in our words, and by the published schemas of UCP. */
export function businessSchemas(): [string, ValidateFunction][] {
  const whole = documentWith({ $ref: 'https://ucp.dev/schemas/ucp.json#/$defs/business_schema' })
  const profile = { $ref: 'https://ucp.dev/schemas/profile.json#/$defs/business_schema' }
  return [
    ['in our words', compiled(inOurWords)],
    ['as published', compiled({ allOf: [whole, profile] }, published.schemas)],
  ]
}
