import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import helmet from 'helmet'
import { runOperation } from '../../infra/telemetry/event-loop/current-operation.ts'
import { closeIdleConnectionsOnShutdown } from './connections.ts'
import { serveCors } from './cors.ts'
import { requireGuards } from './guards.ts'
import { logRequests } from './log-requests.ts'

declare module 'fastify' {
  interface FastifyRequest {
    operation: string
    /** The principal of the caller; empty before authentication, and for a caller without authentication. */
    principal: string
    correlationId: string
    /** The error code of the refusal; empty after a success. */
    refusal: string
  }
  interface FastifyContextConfig {
    operation?: string
  }
}

/** Content type of JSON that the server serializes before Fastify sends it. */
export const JSON_TYPE = 'application/json; charset=utf-8'

/** Adds the headers that every answer has, and logs every answered request. */
export async function applyRequestDefaults(app: FastifyInstance) {
  const security = securityHeaders()
  closeIdleConnectionsOnShutdown(app)
  app.decorateRequest('operation', '')
  app.decorateRequest('principal', '')
  app.decorateRequest('correlationId', '')
  app.decorateRequest('refusal', '')
  // A hook for every request uses a callback, unless it must wait: each promise costs about one percent of the time of
  // a short answer.
  app.addHook('onRequest', (request, reply, done) => {
    // Sets the headers on the response of Node and not on the reply of Fastify. The headers are then present even if
    // other code writes the answer.
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

/** The headers are the same for every answer, so the server computes them once. */
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

/** The correlation id of a call, reduced to 128 characters that can stand in a header and in a log line. */
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
  // After the body is read, code runs in the context of the connection, which serves many requests. So the context is
  // set again.
  app.addHook('preValidation', (request, _, done) => runOperation(request, done))
}
