import { bookingCalendar } from '../calendar/booking-calendar.ts'
import { VERSION } from '../protocol/capabilities.ts'
import { standalone, ucpNative } from '../protocol/deployment.ts'
import { answerSchema } from '../protocol/envelope.ts'
import { errors, type ProtocolCode } from '../protocol/errors.ts'
import { type Operation, restOf, successStatus } from '../protocol/operation.ts'
import { bundle, ORIGIN, type Schema, shape } from '../protocol/schemas.ts'
import { calendarPaths } from './openapi-calendars.ts'
import { webhooks } from './openapi-webhooks.ts'
import { REST_BASE } from './rest.ts'

/** OpenAPI 3.1 of everything the operations offer over REST, complete in itself. */
export function openapi(operations: Operation[]): object {
  const schemas: Record<string, unknown> = {}
  const { components, ...document } = bundle(
    {
      openapi: '3.1.0',
      info: {
        title: 'Scheduling server: REST API',
        version: VERSION,
        description:
          'Find the services of this business and follow its catalogue. A refusal by the business is an answer with status 200 whose `messages` ' +
          'say why; every other failure is a problem document.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/', description: 'This server' }],
      tags: [...new Set([...operations.map(tagOf), 'Events'])].map((name) => ({ name })),
      paths: { ...pathsOf(operations), ...calendarPaths(describe(bookingCalendar)), ...profilePaths },
      webhooks,
      components: { responses: { Problem: problemResponse }, securitySchemes },
    },
    ORIGIN,
    '#/components/schemas/',
    schemas,
  )
  return { ...document, components: { schemas, ...components } }
}

function pathsOf(operations: Operation[]) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const operation of operations) {
    const { method, path } = restOf(operation)
    paths[REST_BASE + path] = { ...paths[REST_BASE + path], [method.toLowerCase()]: describe(operation) }
  }
  return paths
}

function describe(operation: Operation) {
  const { id, title, description, access, input } = operation
  const { parameters, inBody } = restOf(operation)
  const others = Object.keys(input.properties).filter((name) => !parameters.includes(name))
  return {
    operationId: id,
    summary: title,
    description,
    tags: [tagOf(operation)],
    'x-usp-access': access,
    security: securityOf(operation),
    parameters: [
      ...headersOf(operation),
      ...parameters.map((name) => parameter(input, name, 'path')),
      ...(inBody ? [] : others.map((name) => parameter(input, name, 'query'))),
    ],
    ...(inBody && others.length > 0 && { requestBody: bodyOf(input, others) }),
    responses: {
      ...answersOf(operation),
      ...Object.fromEntries(
        statusesOf(operation).map((status) => [status, { $ref: '#/components/responses/Problem' }]),
      ),
    },
  }
}

function answersOf(operation: Operation) {
  const content = { 'application/json': { schema: answerSchema(operation) } }
  const status = successStatus(operation)
  if (operation.silent)
    return {
      200: { description: 'Refused by the business with the reason in `messages`.', content },
      [status]: { description: 'Done.' },
    }
  if (status === 200)
    return { 200: { description: 'Done, or refused by the business with the reason in `messages`.', content } }
  const none =
    'Nothing was made: refused by the business with the reason in `messages`, or answered with what was made before.'
  return { 200: { description: none, content }, [status]: { description: 'Done.', content } }
}

function parameter(input: Operation['input'], name: string, place: 'path' | 'query') {
  const { description, ...schema } = { description: undefined, ...input.properties[name] }
  return { name, in: place, required: place === 'path' || (input.required ?? []).includes(name), description, schema }
}

function bodyOf({ properties, required = [], ...schema }: Operation['input'], members: string[]) {
  const needed = required.filter((name) => members.includes(name))
  const own: Schema = { ...schema, properties: Object.fromEntries(members.map((name) => [name, properties[name]])) }
  return {
    required: needed.length > 0,
    content: { 'application/json': { schema: needed.length > 0 ? { ...own, required: needed } : own } },
  }
}

/** Bookings and waitlist entries have a revision. */
const isConditional = ({ effect, rest }: Operation): boolean => effect !== 'read' && /\{(booking|entry)_id\}/.test(rest)

function statusesOf(operation: Operation): number[] {
  const { access, effect, rest } = operation
  const codes: ProtocolCode[] = [
    'invalid_request',
    'validation_error',
    'rate_limited',
    'server_error',
    'service_unavailable',
  ]
  if (access !== 'public') codes.push('authentication_required', 'profile_not_trusted', 'profile_unreachable')
  if (effect !== 'read') codes.push('idempotency_conflict')
  if (rest.includes('{')) codes.push('not_found')
  if (isConditional(operation)) codes.push('revision_mismatch')
  return [...new Set(codes.map((code) => errors[code].http))].sort()
}

function headersOf(operation: Operation) {
  const { access, effect } = operation
  const header = (name: string, required: boolean, description: string, schema: object) => ({
    name,
    in: 'header',
    required,
    description,
    schema: { type: 'string', ...schema },
  })
  return [
    ...(access === 'business_only' ? [] : [header('USP-Agent', access !== 'public', agentHeader, {})]),
    ...(effect === 'read'
      ? []
      : [
          header('Idempotency-Key', false, 'A value of your own for this change; send it again to retry.', {
            maxLength: 255,
          }),
        ]),
    ...(isConditional(operation)
      ? [
          header(
            'If-Match',
            false,
            'The `revision` that you have seen: nothing is changed when it is another by now.',
            {},
          ),
        ]
      : []),
    header('USP-Correlation-Id', false, 'A value of your own that the log keeps. It changes nothing.', {
      maxLength: 128,
    }),
  ]
}

const agentHeader =
  'Your platform profile, as profile="https://…". A business that has a UCP profile also takes it in `UCP-Agent`.'

/** Any one of them is enough, where the business profile accepts it. */
function securityOf({ access }: Operation) {
  if (access === 'public') return []
  return access === 'business_only' ? [{ bearer: [] }] : [{ signature: [] }, { proof: [] }, { bearer: [] }]
}

const securitySchemes = {
  signature: {
    type: 'apiKey',
    in: 'header',
    name: 'Signature',
    description: 'RFC 9421, with a key of your platform profile.',
  },
  proof: { type: 'apiKey', in: 'header', name: 'DPoP', description: 'RFC 9449 proof of a key of your own.' },
  bearer: { type: 'http', scheme: 'bearer', description: 'An API key or token that the business gave you.' },
}

const problemResponse = {
  description: 'The request could not be processed.',
  content: { 'application/problem+json': { schema: shape('ProblemDetails') } },
}

/** A business has one of them; the other address answers 404. */
const profilePaths = {
  [standalone.profilePath]: {
    get: {
      operationId: 'getBusinessProfile',
      description: 'Who the business is, where its operations are served, and the keys it signs with.',
      ...profileRead('BusinessProfile'),
    },
  },
  [ucpNative.profilePath]: {
    get: {
      operationId: 'getUcpProfile',
      description: 'The same of a business whose `deployment_mode` is `ucp_native`, as platforms of UCP read it.',
      ...profileRead('UcpBusinessProfile'),
    },
  },
}

function profileRead(name: 'BusinessProfile' | 'UcpBusinessProfile') {
  return {
    summary: 'Read the business profile',
    tags: ['Profile'],
    security: [],
    responses: {
      200: { description: 'The profile.', content: { 'application/json': { schema: shape(name) } } },
      400: { $ref: '#/components/responses/Problem' },
      404: { $ref: '#/components/responses/Problem' },
      503: { $ref: '#/components/responses/Problem' },
    },
  }
}

const tagOf = ({ tool }: Operation) => (tool.split('_')[1] ?? '').replace(/^\w/, (letter) => letter.toUpperCase())
