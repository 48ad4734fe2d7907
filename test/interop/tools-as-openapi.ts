/** The parts of an OpenRPC document that describe the tools. */
export interface ToolDocument {
  info: object
  methods: {
    name: string
    params: { name: string; required?: boolean; schema: object }[]
    result: { schema: object }
  }[]
  components: object
}

const fixed = (value: unknown) => ({ enum: [value] })
const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const object = (properties: Record<string, object>, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

const call = { jsonrpc: fixed('2.0'), id: fixed(1), method: fixed('tools/call') }
const failure = object({
  jsonrpc: fixed('2.0'),
  id: { type: ['string', 'number', 'null'] },
  error: {
    type: 'object',
    required: ['code', 'message'],
    properties: { code: { type: 'integer' }, message: { type: 'string' } },
  },
})

/**
 * Describes each MCP tool as an operation of OpenAPI, because schemathesis cannot read OpenRPC. In OpenAPI, each
 * operation needs an address of its own. So the query contains the name of the tool. The server ignores the query.
 * All calls have the same `_meta`.
 */
export function toolsAsOpenapi({ info, methods, components }: ToolDocument, meta: object) {
  const paths = methods.map(({ name, params, result }) => {
    const inputs = params.filter((param) => param.name !== '_meta')
    const properties = Object.fromEntries(inputs.map((param) => [param.name, param.schema]))
    const required = inputs.filter((param) => param.required).map((param) => param.name)
    const input = object({ ...properties, _meta: fixed(meta) }, [...required, '_meta'])
    const success = object({ jsonrpc: fixed('2.0'), id: { type: ['string', 'number'] }, result: result.schema })
    const operation = {
      operationId: name,
      requestBody: {
        required: true,
        ...json(object({ ...call, params: object({ name: fixed(name), arguments: input }) })),
      },
      responses: {
        200: { description: 'The result of the tool, or an error', ...json({ anyOf: [success, failure] }) },
        202: { description: 'No answer, because the message has no id' },
        '4XX': { description: 'An error', ...json(failure) },
      },
    }
    return [`/usp/mcp?tool=${name}`, { post: operation }]
  })
  return { openapi: '3.1.0', info, paths: Object.fromEntries(paths), components }
}
