import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import helmet from 'helmet'
import { runOperation } from '../../infra/telemetry/event-loop/current-operation.ts'
import { serveCors } from './cors.ts'
import { closeIdleConnectionsOnShutdown } from './limit-connections.ts'
import { logRequests } from './log-requests.ts'
import { requireGuards } from './route-guards.ts'

declare module 'fastify' {
  interface FastifyRequest {
    operation: string
    /**
     * The name under which the server stores the caller, such as `client:…`. Empty until the server has authenticated
     * the caller, and for a caller without authentication.
     */
    principal: string
    correlationId: string
    /** The error code with which the server refused the request, such as `invalid_request`. Empty after a success. */
    refusal: string
  }
  interface FastifyContextConfig {
    operation?: string
  }
}

/** The content type for JSON that the server itself converts to text, without Fastify. */
export const JSON_TYPE = 'application/json; charset=utf-8'

/** Adds the common headers to each answer, and logs each answered request. */
export async function applyRequestDefaults(app: FastifyInstance) {
  const security = securityHeaders()
  closeIdleConnectionsOnShutdown(app)
  app.decorateRequest('operation', '')
  app.decorateRequest('principal', '')
  app.decorateRequest('correlationId', '')
  app.decorateRequest('refusal', '')
  // This hook uses a callback, because a promise would add about one percent to the time of a short answer. Only hooks
  // that must wait use promises.
  app.addHook('onRequest', (request, reply, done) => {
    // The hook sets the headers on the response of Node, and not on the reply of Fastify. Therefore an answer has these
    // headers even if Fastify does not write the answer.
    for (const [name, value] of security) reply.raw.setHeader(name, value)
    request.operation = request.routeOptions.config.operation ?? 'other'
    request.correlationId = correlationIdOf(request.headers['usp-correlation-id'])
    reply.header('x-request-id', request.id)
    if (request.correlationId) reply.header('usp-correlation-id', request.correlationId)
    done()
  })
  await serveCors(app)
  requireGuards(app)
  logRequests(app)
}

/** Returns the security headers of all answers. They are always the same, so the server computes them only once. */
function securityHeaders(): [string, string][] {
  const request = new IncomingMessage(new Socket())
  const answer = new ServerResponse(request)
  const headers = helmet({
    contentSecurityPolicy: { directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] }, useDefaults: false },
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    hsts: { maxAge: 31_536_000, includeSubDomains: false },
  })
  headers(request, answer, () => {})
  return Object.entries(answer.getHeaders()).map(([name, value = '']) => [name, String(value)])
}

/**
 * Returns the correlation id of a call, with which the caller finds the call in logs. The id appears in the log and in
 * the answer. It has at most 128 characters, and all of them are safe in a header and a log line.
 */
export const correlationIdOf = (value: unknown): string =>
  String(value ?? '')
    .replace(/[^\x21-\x7e]/g, '')
    .slice(0, 128)

/**
 * Runs all code of a request under the name of its operation. The event loop monitor can then report which operation
 * blocks.
 */
export function trackOperation(app: FastifyInstance) {
  app.addHook('onRequest', (request, _, done) => runOperation(request, done))
  // Node reads the body in the asynchronous context of the connection, which many requests share. Therefore the hook
  // sets the operation of this request once more.
  app.addHook('preValidation', (request, _, done) => runOperation(request, done))
}
