import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import helmet from 'helmet'
import { requireGuards } from './guards.ts'
import { hangUpWhenClosing } from './hang-up.ts'
import { logRequests } from './log-requests.ts'
import { serveOtherOrigins } from './other-origins.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The operation or tool that is called, for the log and the metrics. */
    operation: string
    /** Who was proven to call; empty while nobody is. */
    principal: string
    correlationId: string
    /** The code of what it was refused with; empty where it was answered. */
    refusal: string
  }
  interface FastifyContextConfig {
    operation?: string
  }
}

/** Of JSON that was put into words before it is sent. */
export const JSON_TYPE = 'application/json; charset=utf-8'

/** Headers of every answer, and the line that the log keeps of it. */
export async function httpBasics(app: FastifyInstance) {
  const security = securityHeaders()
  hangUpWhenClosing(app)
  app.decorateRequest('operation', '')
  app.decorateRequest('principal', '')
  app.decorateRequest('correlationId', '')
  app.decorateRequest('refusal', '')
  // Of the hooks that every request passes none is a promise but who waits: each costs a hundredth of a short answer.
  app.addHook('onRequest', (request, reply, done) => {
    // On the answer below Fastify's, so that they also stand where somebody else writes it.
    for (const [name, value] of security) reply.raw.setHeader(name, value)
    request.operation = request.routeOptions.config.operation ?? 'other'
    request.correlationId = visible(request.headers['usp-correlation-id'])
    reply.header('x-request-id', request.id)
    if (request.correlationId) reply.header('usp-correlation-id', request.correlationId)
    done()
  })
  await serveOtherOrigins(app)
  requireGuards(app)
  logRequests(app)
}

/** The same for every answer, so they are made once. */
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

const visible = (value: string | string[] | undefined) =>
  String(value ?? '')
    .replace(/[^\x21-\x7e]/g, '')
    .slice(0, 128)
