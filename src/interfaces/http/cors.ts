import cors from '@fastify/cors'
import type { FastifyContextConfig, FastifyInstance } from 'fastify'
import { withGuardNames, withoutGuard } from './route-guards.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    cors?: { origin: '*' }
  }
}

const ANY_ORIGIN = { origin: '*' } as const

/**
 * Allows web pages of other origins to read the answers of a route (CORS). Without this permission, browsers hide the
 * answers from these pages.
 */
export const allowAnyOrigin = <Route extends { config: FastifyContextConfig }>(route: Route) => ({
  ...route,
  config: { ...route.config, cors: ANY_ORIGIN },
})

/**
 * Sends CORS headers with the answers of all routes that use `allowAnyOrigin`. At the paths of these routes, preflight
 * requests and refused methods get these headers too.
 */
export async function serveCors(app: FastifyInstance) {
  await app.register(cors, {
    origin: false,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
    allowedHeaders: callerHeaders,
    exposedHeaders: answerHeaders,
    maxAge: 86_400,
    strictPreflight: false,
  })
  const paths = new Set<string>()
  app.addHook('onRoute', (route) => {
    const { url, config } = route
    if (paths.has(url)) route.config = { ...config, cors: ANY_ORIGIN }
    else if (config?.cors) {
      paths.add(url)
      const preflight = allowAnyOrigin(withGuardNames('other', [withoutGuard('a preflight, answered before')]))
      app.options(url, preflight, (_, reply) => reply.callNotFound())
    }
  })
}

const callerHeaders = [
  'Authorization',
  'Content-Digest',
  'Content-Type',
  'DPoP',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'Mcp-Method',
  'Mcp-Name',
  'Mcp-Protocol-Version',
  'Mcp-Session-Id',
  'Signature',
  'Signature-Agent',
  'Signature-Input',
  'Traceparent',
  'Tracestate',
  'UCP-Agent',
  'USP-Agent',
  'USP-Correlation-Id',
]

const answerHeaders = [
  'Content-Digest',
  'DPoP-Nonce',
  'ETag',
  'Idempotency-Replayed',
  'RateLimit',
  'RateLimit-Limit',
  'RateLimit-Policy',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'Signature',
  'Signature-Input',
  'USP-Correlation-Id',
  'WWW-Authenticate',
  'X-Request-Id',
]
