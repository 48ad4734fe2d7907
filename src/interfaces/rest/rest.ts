import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { recordOf } from '../../infra/util/record-of.ts'
import { checks } from '../../pipeline/checks.ts'
import { type CallMeans, dispatch } from '../../pipeline/dispatch.ts'
import { parseJson } from '../../protocol/json.ts'
import type { Means } from '../../protocol/means.ts'
import { type Call, type Operation, restOf } from '../../protocol/operation.ts'
import { validatorsOf } from '../../protocol/operation-validators.ts'
import { REST_BASE } from '../../protocol/paths.ts'
import type { Schema } from '../../protocol/schemas.ts'
import { isOptional, isServed } from '../../protocol/served-capabilities.ts'
import { stating } from '../http/guards.ts'
import { JSON_TYPE } from '../http/http-basics.ts'
import { isKnown } from '../http/is-known.ts'
import { refuseOtherMethods } from '../http/other-methods.ts'
import { forAnyOrigin } from '../http/other-origins.ts'
import { answerSignature, type SigningMeans, signsAnswers } from './sign-answer.ts'

export type RestMeans = CallMeans & SigningMeans

declare module 'fastify' {
  interface FastifyRequest {
    call: Call | undefined
  }
}

/** Registers one route for each operation, and answers 405 to every other method on the same paths. */
export function restBinding(app: FastifyInstance, means: RestMeans) {
  const { operations } = means
  keepCalls(app)
  for (const operation of operations) addRoute(app, operation, means)
  for (const [path, routes] of Map.groupBy(operations, (operation) => restOf(operation).path))
    refuseOtherMethods(
      app,
      routeOf(path),
      routes.map((operation) => restOf(operation).method),
      onlyIfServed(routes, means),
    )
}

function addRoute(app: FastifyInstance, operation: Operation, means: RestMeans) {
  app.route({
    ...checkedRoute(operation, means),
    handler: async (request, reply) => answer(requireCall(request), request, reply, means),
  })
}

export const keepCalls = (app: FastifyInstance) => app.decorateRequest('call', undefined)

export function checkedRoute(operation: Operation, means: RestMeans) {
  validatorsOf(operation)
  const { method, path, inBody } = restOf(operation)
  return {
    method,
    url: routeOf(path),
    ...forAnyOrigin(stating(operation.id, checks)),
    ...onlyIfServed([operation], means),
    preValidation: async (request: FastifyRequest) => {
      request.call = callOf(operation, inBody, request)
    },
    preHandler: (request: FastifyRequest) => pass(request, means),
  }
}

/** Answers 404 before anything else when the business has switched the operation off. */
function onlyIfServed(operations: Operation[], { business }: Means<'business'>) {
  if (!operations.every(isOptional)) return {}
  return {
    onRequest: async (_: FastifyRequest, reply: FastifyReply) => {
      const definition = await business.get()
      if (!operations.some((operation) => isServed(operation, definition))) return reply.callNotFound()
    },
  }
}

async function pass(request: FastifyRequest, means: RestMeans) {
  const call = requireCall(request)
  for (const check of checks) {
    const waiting = check(call, means)
    if (waiting) await waiting
    if (call.caller) request.principal = call.caller.principal
  }
}

async function answer(call: Call, request: FastifyRequest, reply: FastifyReply, means: RestMeans) {
  // An answer to HEAD has no content to sign. The setting is read before the call, so the server needs no query after the
  // change.
  const isSigned = request.method !== 'HEAD' && (await signsAnswers(call.operation, means))
  const { status, text, headers } = await dispatch(call, means)
  reply.headers({ ...call.answerHeaders, ...headers })
  if (
    (request.method === 'GET' || request.method === 'HEAD') &&
    headers.etag &&
    isKnown(request.headers['if-none-match'], headers.etag)
  )
    return reply.code(304).send()
  if (status === 204) return reply.code(status).send()
  if (isSigned) reply.headers(await answerSignature({ status, type: JSON_TYPE, text }, means))
  return reply.code(status).type(JSON_TYPE).send(text)
}

/** Puts path, query and body into one object, like tool arguments. Numbers in the path and the query are converted. */
function callOf(operation: Operation, inBody: boolean, request: FastifyRequest): Call {
  const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  const body = raw.length > 0 ? parseJson(raw) : {}
  const parameters = coerced(recordOf(request.params), operation.input.properties)
  const rest = inBody ? body : coerced(recordOf(request.query), operation.input.properties)
  const isObject = typeof rest === 'object' && rest !== null && !Array.isArray(rest)
  // Only this call uses the object, so it is extended in place. Copying thousands of members would take longer than parsing
  // them.
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

const routeOf = (path: string) => REST_BASE + path.replace(/\{(\w+)\}/g, ':$1')

export function requireCall(request: FastifyRequest): Call {
  if (!request.call) throw new Error('The call was not read')
  return request.call
}
