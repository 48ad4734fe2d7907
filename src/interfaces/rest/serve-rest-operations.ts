import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { contentDigest, signatureHeaders } from '../../core/keys/sign-http-message.ts'
import { signingKey } from '../../core/keys/signing-keys.ts'
import { asRecord } from '../../infra/util/object-members.ts'
import { checks } from '../../pipeline/checks-in-order.ts'
import { type CallDependencies, dispatch } from '../../pipeline/dispatch-operation.ts'
import { REST_BASE } from '../../protocol/base-url-paths.ts'
import { type Capability, isOptional, isServed } from '../../protocol/capabilities.ts'
import { type Call, type Operation, restRouteOf } from '../../protocol/define-operation.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import type { Schema } from '../../protocol/json-schemas.ts'
import { validatorsOf } from '../../protocol/operation-validators.ts'
import { parseJson } from '../../protocol/parse-json-safely.ts'
import { allowAnyOrigin } from '../http/cors.ts'
import { isEtagMatch } from '../http/fixed-response.ts'
import { JSON_TYPE } from '../http/request-defaults.ts'
import { refuseOtherMethods, withGuardNames } from '../http/route-guards.ts'

export type RestDependencies = CallDependencies & SigningDependencies

declare module 'fastify' {
  interface FastifyRequest {
    call: Call | undefined
  }
}

/** Registers one REST route for each operation. Other methods at the same paths get the answer 405. */
export function restBinding(app: FastifyInstance, dependencies: RestDependencies, base = REST_BASE) {
  const { operations } = dependencies
  decorateCalls(app)
  for (const operation of operations) addRoute(app, operation, dependencies, base)
  for (const [path, routes] of Map.groupBy(operations, (operation) => restRouteOf(operation).path))
    refuseOtherMethods(
      app,
      routeOf(path, base),
      routes.map((operation) => restRouteOf(operation).method),
      onlyIfServed(routes, dependencies),
    )
}

function addRoute(app: FastifyInstance, operation: Operation, dependencies: RestDependencies, base: string) {
  app.route({
    ...checkedRoute(operation, dependencies, base),
    handler: async (request, reply) => answer(requireCall(request), request, reply, dependencies),
  })
}

export const decorateCalls = (app: FastifyInstance) => app.decorateRequest('call', undefined)

export function checkedRoute(operation: Operation, dependencies: RestDependencies, base = REST_BASE) {
  validatorsOf(operation)
  const { method, path, inBody } = restRouteOf(operation)
  return {
    method,
    url: routeOf(path, base),
    ...allowAnyOrigin(withGuardNames(operation.id, checks)),
    ...onlyIfServed([operation], dependencies),
    preValidation: async (request: FastifyRequest) => {
      request.call = callOf(operation, inBody, request)
    },
    preHandler: (request: FastifyRequest) => runChecks(request, dependencies),
  }
}

/** Returns a hook that answers 404 before any other check if the business has turned off all operations of a route. */
function onlyIfServed(operations: Operation[], { business }: Dependencies<'business'>) {
  if (!operations.every(isOptional)) return {}
  return {
    onRequest: async (_: FastifyRequest, reply: FastifyReply) => {
      const definition = await business.get()
      if (!operations.some((operation) => isServed(operation, definition))) return reply.callNotFound()
    },
  }
}

async function runChecks(request: FastifyRequest, dependencies: RestDependencies) {
  const call = requireCall(request)
  for (const check of checks) {
    const waiting = check(call, dependencies)
    if (waiting) await waiting
    if (call.caller) request.principal = call.caller.principal
  }
}

async function answer(call: Call, request: FastifyRequest, reply: FastifyReply, dependencies: RestDependencies) {
  // The server finds out before the call whether it must sign the answer. If this query failed after the call, the
  // caller would not learn the result of a change. An answer to HEAD has no content to sign.
  const isSigned = request.method !== 'HEAD' && (await signsAnswers(call.operation, dependencies))
  const { status, text, headers } = await dispatch(call, dependencies)
  reply.headers({ ...call.answerHeaders, ...headers })
  if (
    (request.method === 'GET' || request.method === 'HEAD') &&
    headers.etag &&
    isEtagMatch(request.headers['if-none-match'], headers.etag)
  )
    return reply.code(304).send()
  if (status === 204) return reply.code(status).send()
  if (isSigned) reply.headers(await answerSignature({ status, type: JSON_TYPE, text }, dependencies))
  return reply.code(status).type(JSON_TYPE).send(text)
}

/**
 * Joins the parameters in the path, the query and the body of a request to one object, like the arguments of an MCP
 * tool. Converts the numbers in the path and the query from text.
 */
function callOf(operation: Operation, inBody: boolean, request: FastifyRequest): Call {
  const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  const body = raw.length > 0 ? parseJson(raw) : {}
  const parameters = coerced(asRecord(request.params), operation.input.properties)
  const rest = inBody ? body : coerced(asRecord(request.query), operation.input.properties)
  const isObject = typeof rest === 'object' && rest !== null && !Array.isArray(rest)
  // No other code uses the parsed body, so the function adds the path parameters directly to it. Copying a body with
  // thousands of properties would take longer than parsing it.
  const input = isObject ? Object.assign(rest, parameters) : rest
  return {
    binding: 'rest',
    operation,
    input,
    meta: undefined,
    headers: request.headers,
    http: { method: request.method, target: request.originalUrl, body: raw },
    peer: request.peer,
    answerHeaders: {},
  }
}

function coerced(values: Record<string, unknown>, properties: Record<string, Schema>): Record<string, unknown> {
  const isNumber = (name: string) => properties[name]?.type === 'integer' || properties[name]?.type === 'number'
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' && isNumber(name) && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value,
    ]),
  )
}

const routeOf = (path: string, base: string) => base + path.replace(/\{(\w+)\}/g, ':$1')

export function requireCall(request: FastifyRequest): Call {
  if (!request.call) throw new Error('The call was not read')
  return request.call
}

type SigningDependencies = Dependencies<'db' | 'clock' | 'signingBox'>

/**
 * The capabilities (parts of the protocol) whose answers state prices or bookings. A business can require the server to
 * sign these answers.
 */
const signedCapabilities: Capability[] = [
  'dev.usp-protocol.services.catalog',
  'dev.usp-protocol.services.availability',
  'dev.usp-protocol.services.bookings',
  'dev.usp-protocol.services.waitlist',
  'dev.ucp.shopping.checkout',
  'dev.ucp.shopping.order',
]

export const isSigned = ({ capability }: Operation): boolean => signedCapabilities.includes(capability)

export const signsAnswers = async (operation: Operation, { business }: Dependencies<'business'>): Promise<boolean> =>
  isSigned(operation) && ((await business.get())?.sign_answers ?? false)

/**
 * Returns the signature headers for the exact bytes of an answer. With these headers, a caller can prove later that the
 * business sent the answer.
 */
export async function answerSignature(
  { status, type, text }: { status: number; type: string; text: string },
  dependencies: SigningDependencies,
): Promise<Record<string, string>> {
  const digest = contentDigest(Buffer.from(text))
  const components = { '@status': String(status), 'content-digest': digest, 'content-type': type }
  const now = dependencies.clock()
  return { 'content-digest': digest, ...signatureHeaders(components, await signingKey(dependencies, now), now) }
}
