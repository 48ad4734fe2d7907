import { bookingCalendar } from '../../domain/calendar/get-booking-calendar.ts'
import { REST_BASE } from '../../protocol/base-url-paths.ts'
import { VERSION } from '../../protocol/capabilities.ts'
import { type Operation, restRouteOf } from '../../protocol/define-operation.ts'
import { standalone, ucpNative } from '../../protocol/deployment-modes.ts'
import { bundle, ORIGIN, shape } from '../../protocol/json-schemas.ts'
import { errorCodesOf } from './error-codes-of-operation.ts'
import { calendarPaths } from './openapi-calendars.ts'
import { answerHeaders, problemHeaders } from './openapi-headers.ts'
import { bodyOf, parametersOf } from './openapi-parameters.ts'
import { responsesOf } from './openapi-responses.ts'
import { webhooks } from './openapi-webhooks.ts'
import { simplifySchemas } from './simplify-schemas.ts'

export function openapi(operations: Operation[]): object {
  const schemas: Record<string, unknown> = {}
  const { components, ...document } = bundle(
    {
      openapi: '3.1.0',
      info: {
        title: 'Scheduling server: REST API',
        version: VERSION,
        description:
          'Find the services of this business and their free times. Hold, book, pay for, move and cancel ' +
          'bookings, join the waitlist, and follow the catalogue. If the business refuses a call, the answer ' +
          'has status 200 and its `messages` say why. Every other failure is a problem document, and ' +
          '`x-usp-errors` of an operation lists the values of its `code`. A `code` is never in both. A known path ' +
          'answers 405 with `Allow` to a method that it does not have.',
        contact: { name: 'Universal Scheduling Protocol', url: 'https://usp-protocol.dev' },
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/', description: 'This server' }],
      tags: [...new Set([...operations.map(tagOf), 'Calendars', 'Profile', 'Events'])].map(tagWithDescription),
      paths: { ...pathsOf(operations), ...calendarPaths(describe(bookingCalendar)), ...profilePaths },
      webhooks,
      components: { headers: answerHeaders, responses: { Problem: problemResponse }, securitySchemes },
    },
    ORIGIN,
    '#/components/schemas/',
    schemas,
  )
  return simplifySchemas({ ...document, components: { schemas, ...components } })
}

function pathsOf(operations: Operation[]) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const operation of operations) {
    const { method, path } = restRouteOf(operation)
    paths[REST_BASE + path] = { ...paths[REST_BASE + path], [method.toLowerCase()]: describe(operation) }
  }
  return paths
}

const describe = (operation: Operation) => ({
  operationId: operation.id,
  summary: operation.title,
  description: operation.description,
  tags: [tagOf(operation)],
  'x-usp-access': operation.access,
  'x-usp-errors': errorCodesOf(operation),
  security: securityOf(operation),
  parameters: parametersOf(operation),
  ...bodyOf(operation),
  responses: responsesOf(operation),
})

/**
 * Returns the authentication methods that an operation accepts. The caller must use a method that the business profile
 * (its public self-description) lists.
 */
function securityOf({ access }: Operation) {
  if (access === 'public') return []
  return access === 'business_only' ? [{ staff: [] }] : [{ signature: [] }, { proof: [] }, { bearer: [] }]
}

const securitySchemes = {
  signature: {
    type: 'apiKey',
    in: 'header',
    name: 'Signature',
    description: 'RFC 9421, with a key of your platform profile.',
  },
  proof: {
    type: 'apiKey',
    in: 'header',
    name: 'DPoP',
    description: 'RFC 9449 proof of possession of a key of your own.',
  },
  staff: { type: 'http', scheme: 'bearer', description: 'The token of a staff member. No platform has one.' },
  bearer: { type: 'http', scheme: 'bearer', description: 'An API key or token that the business gave you.' },
}

const problemResponse = {
  description:
    'The request could not be processed. `code` names the reason. `type` is `about:blank` where the HTTP status says ' +
    'all.',
  ...problemHeaders,
  content: { 'application/problem+json': { schema: shape('ProblemDetails') } },
}

/**
 * The documentation of the URL paths of the business profile. Each deployment mode has a different path. A server
 * serves only the path of its own mode, and answers with status 404 at the other paths.
 */
const profilePaths = {
  [standalone.profilePath]: {
    get: {
      operationId: 'getBusinessProfile',
      description: 'The identity of the business, the endpoints of its operations, and the keys it signs with.',
      ...profileRead('BusinessProfile'),
    },
  },
  [ucpNative.profilePath]: {
    get: {
      operationId: 'getUcpProfile',
      description:
        'The same profile for a business whose `deployment_mode` is `ucp_native`, in the form that UCP platforms ' +
        'read.',
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

const TAGS: Readonly<Record<string, string>> = {
  Services: 'The services of the business, and a feed of their changes.',
  Availability: 'Free times of a service, the reasons why a time is not free, and holds that reserve a slot.',
  Bookings: 'Booking, paying, moving and canceling.',
  Waitlist: 'Waiting for full services, and answering offers.',
  Calendars: 'Bookings as calendar files and feeds.',
  Registry: 'A directory of businesses and their services.',
  Business: 'Operations for the staff.',
  Profile: 'The identity of the business, and the endpoints of its operations.',
  Events: 'Events that the business sends to platforms.',
}

function tagWithDescription(name: string) {
  const description = TAGS[name]
  return { name, ...(description !== undefined && { description }) }
}
