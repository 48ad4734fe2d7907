import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { checks } from '../protocol/checks.ts'
import { contractOf } from '../protocol/contract.ts'
import { dispatch } from '../protocol/dispatch.ts'
import { parseJson } from '../protocol/json.ts'
import { type Call, type Operation, restOf } from '../protocol/operation.ts'
import type { Schema } from '../protocol/schemas.ts'
import { isOptional, isServed } from '../protocol/served.ts'
import type { Runtime } from '../runtime.ts'
import { JSON_TYPE } from './http-basics.ts'
import { refuseOtherMethods } from './other-methods.ts'
import { answerSignature, signsAnswers } from './sign-answer.ts'

declare module 'fastify' {
  interface FastifyRequest {
    call: Call | undefined
  }
}

export const REST_BASE = '/usp/v1'

/** A route for each operation, and a refusal for each method that a known path lacks. */
export function restBinding(app: FastifyInstance, runtime: Runtime) {
  const { operations } = runtime
  app.decorateRequest('call', undefined)
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_, body, done) => done(null, body))
  for (const operation of operations) addRoute(app, operation, runtime)
  for (const [path, routes] of Map.groupBy(operations, (operation) => restOf(operation).path))
    refuseOtherMethods(
      app,
      routeOf(path),
      routes.map((operation) => restOf(operation).method),
      onlyIfServed(routes, runtime),
    )
}

function addRoute(app: FastifyInstance, operation: Operation, runtime: Runtime) {
  app.route({
    ...checkedRoute(operation, runtime),
    handler: async (request, reply) => answer(requireCall(request), request, reply, runtime),
  })
}

/** Where an operation is called, and the checks that a call passes before anybody answers it. */
export function checkedRoute(operation: Operation, runtime: Runtime) {
  contractOf(operation)
  const { method, path, inBody } = restOf(operation)
  return {
    method,
    url: routeOf(path),
    config: { operation: operation.id },
    ...onlyIfServed([operation], runtime),
    preValidation: async (request: FastifyRequest) => {
      request.call = callOf(operation, inBody, request)
    },
    preHandler: (request: FastifyRequest) => pass(request, runtime),
  }
}

/** What the business has switched off is not there, whatever is sent to it. */
function onlyIfServed(operations: Operation[], { business }: Runtime) {
  if (!operations.every(isOptional)) return {}
  return {
    onRequest: async (_: FastifyRequest, reply: FastifyReply) => {
      const definition = await business.get()
      if (!operations.some((operation) => isServed(operation, definition))) return reply.callNotFound()
    },
  }
}

async function pass(request: FastifyRequest, runtime: Runtime) {
  const call = requireCall(request)
  for (const check of checks) {
    const waiting = check(call, runtime)
    if (waiting) await waiting
    if (call.caller) request.principal = call.caller.principal
  }
}

async function answer(call: Call, request: FastifyRequest, reply: FastifyReply, runtime: Runtime) {
  // Without its content an answer has nothing to sign. Known before, so that nobody is asked after a change.
  const isSigned = request.method !== 'HEAD' && (await signsAnswers(call.operation, runtime))
  const { status, text, headers } = await dispatch(call, runtime)
  reply.headers({ ...call.answerHeaders, ...headers })
  if (
    (request.method === 'GET' || request.method === 'HEAD') &&
    headers.etag &&
    isKnown(request.headers['if-none-match'], headers.etag)
  )
    return reply.code(304).send()
  if (status === 204) return reply.code(status).send()
  if (isSigned) reply.headers(await answerSignature({ status, type: JSON_TYPE, text }, runtime))
  return reply.code(status).type(JSON_TYPE).send(text)
}

/** Whether whoever asks has this very answer already. */
export const isKnown = (known: string | undefined, etag: string) =>
  known === '*' || (known ?? '').split(',').some((one) => strong(one.trim()) === strong(etag))

const strong = (etag: string) => etag.replace(/^W\//, '')

/** Path, query and body in one object, as tool arguments have it. Text from the address is brought to its type. */
function callOf(operation: Operation, inBody: boolean, request: FastifyRequest): Call {
  const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  const body = raw.length > 0 ? parseJson(raw) : {}
  const parameters = coerced(Object(request.params), operation.input.properties)
  const rest = inBody ? body : coerced(Object(request.query), operation.input.properties)
  const isObject = typeof rest === 'object' && rest !== null && !Array.isArray(rest)
  const input = isObject ? { ...rest, ...parameters } : rest
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

const routeOf = (path: string) => REST_BASE + path.replace(/\{(\w+)\}/g, ':$1')

export function requireCall(request: FastifyRequest): Call {
  if (!request.call) throw new Error('The call was not read')
  return request.call
}
