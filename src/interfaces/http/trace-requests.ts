import type { FastifyInstance } from 'fastify'
import { type Span, tracing } from '../../infra/telemetry/tracing.ts'
import { isProbe } from './health.ts'
import { isAborted } from './log-requests.ts'

declare module 'fastify' {
  interface FastifyRequest {
    step?: Span | undefined
  }
}

/**
 * Creates a tracing span (the record of one step) for each request, as a child of the caller's span. Code that runs for
 * the request can add attributes to the span.
 */
export function traceRequests(app: FastifyInstance) {
  if (!tracing()) return
  app.decorateRequest('step', undefined)
  app.addHook('onRequest', (request, reply, done) => {
    const tracer = tracing()
    if (!tracer || isProbe(request)) return done()
    const { method, headers, id, protocol, routeOptions } = request
    const route = routeOptions.url ?? 'nowhere'
    const parent = headers.traceparent && String(headers.traceparent)
    const attributes = {
      'http.request.method': method,
      'http.route': route,
      'url.scheme': protocol,
      'usp.request_id': id,
    }
    const step = tracer.begin({ name: `${method} ${route}`, kind: 'server', parent, attributes })
    request.step = step
    reply.raw.on('close', () => {
      const { operation, refusal } = request
      // Before the server has sent the headers, `statusCode` contains only a default value. In this case, the span gets
      // no status.
      const status = reply.raw.headersSent ? reply.statusCode : undefined
      step.note({
        'http.response.status_code': status,
        'usp.operation': operation,
        'error.type': refusal || (isAborted(request, reply) ? 'aborted' : undefined),
      })
      step.end(status !== undefined && status >= 500)
    })
    done()
  })
}
