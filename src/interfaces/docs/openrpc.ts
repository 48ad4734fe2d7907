import { MCP_PATH } from '../../protocol/base-url-paths.ts'
import { VERSION } from '../../protocol/capabilities.ts'
import type { Operation } from '../../protocol/define-operation.ts'
import { errors, protocolCodes } from '../../protocol/errors.ts'
import { bundle, ORIGIN, shape } from '../../protocol/json-schemas.ts'
import { metaSchema } from '../../protocol/operation-validators.ts'
import { answerSchema } from '../../protocol/response-envelope.ts'

/** The URL of a development server. The OpenRPC document in this project's repository contains this URL. */
const LOCAL = 'http://127.0.0.1:8080'

/**
 * Returns the OpenRPC 1.3.2 document, which describes each MCP tool as a method with named parameters. The webhook
 * events are only in the list of schemas, because no method accepts them.
 */
export function openrpc(operations: Operation[], baseUrl: string = LOCAL): object {
  const schemas: Record<string, unknown> = {}
  const { components, events, ...document } = bundle(
    {
      openrpc: '1.3.2',
      info: { title: 'Scheduling server: tools', version: VERSION, license: { name: 'Apache-2.0' } },
      servers: [{ name: 'This server', url: baseUrl + MCP_PATH }],
      methods: operations.map(methodOf),
      components: { errors: { USPProtocolError: protocolError } },
      events: {
        BookingWebhookEvent: shape('BookingEvent'),
        CatalogWebhookEvent: shape('CatalogEvent'),
        WaitlistWebhookEvent: shape('WaitlistEvent'),
      },
    },
    ORIGIN,
    '#/components/schemas/',
    schemas,
  )
  return { ...document, components: { schemas: { ...schemas, ...events }, ...components } }
}

function methodOf(operation: Operation) {
  const { tool, title, description, access, input } = operation
  const meta = metaSchema(operation)
  return {
    name: tool,
    summary: title,
    description,
    paramStructure: 'by-name',
    params: [
      ...(meta ? [{ name: '_meta', required: access !== 'public', schema: meta }] : []),
      ...Object.entries(input.properties).map(([name, schema]) => ({
        name,
        required: (input.required ?? []).includes(name),
        schema,
      })),
    ].sort((one, other) => Number(other.required) - Number(one.required)),
    result: { name: `${operation.id}Result`, schema: resultOf(operation) },
    errors: [{ $ref: '#/components/errors/USPProtocolError' }],
    'x-usp-access': access,
  }
}

function resultOf(operation: Operation) {
  return {
    type: 'object',
    required: ['structuredContent'],
    properties: {
      structuredContent: answerSchema(operation),
      content: {
        type: 'array',
        items: {
          type: 'object',
          required: ['type', 'text'],
          properties: { type: { const: 'text' }, text: { type: 'string' } },
        },
      },
    },
  }
}

const protocolError = {
  code: errors.validation_error.rpc,
  message:
    'The call could not be processed. The code in data names the reason, and the error number depends on it. Only the ' +
    'error for an unknown tool has no code.',
  data: {
    type: 'object',
    required: ['code', 'content'],
    properties: {
      code: { type: 'string', enum: protocolCodes },
      content: { type: 'string' },
      errors: { type: 'array', items: { type: 'object', required: ['field', 'message'] } },
      mechanism: shape('AuthorizationMechanism'),
      _meta: {
        type: 'object',
        properties: { usp: { type: 'object', properties: { correlation_id: { type: 'string' } } } },
      },
      nonce: { type: 'string' },
      retry_after: { type: 'integer' },
    },
  },
}
