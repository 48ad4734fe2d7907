import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Span, tracing } from '../../monitoring/tracing.ts'
import { isProbe } from './health.ts'

/** Each request is a step of whoever asks, and what runs for it is part of that, from the first hook on. */
export function traceRequests(app: FastifyInstance) {
  const tracer = tracing()
  if (!tracer) return
  const spans = new WeakMap<FastifyRequest, Span>()
  app.addHook('onRequest', (request, reply, done) => {
    if (isProbe(request)) return done()
    const { method, headers, id, routeOptions } = request
    const route = routeOptions.url ?? 'nowhere'
    const attributes = { 'http.request.method': method, 'http.route': route, 'usp.request_id': id }
    const parent = String(headers.traceparent ?? '')
    const span = tracer.begin({ name: `${method} ${route}`, kind: 'server', parent, attributes })
    spans.set(request, span)
    reply.raw.once('close', () => {
      const { operation, refusal } = request
      const status = reply.statusCode
      span.note({
        ...{ 'http.response.status_code': status, 'usp.operation': operation },
        ...(refusal && { 'error.type': refusal }),
      })
      span.end(status >= 500)
    })
    span.within(done)
  })
  // Who waited for the body was woken by the connection, which serves many requests.
  app.addHook('preValidation', (request, _, done) => {
    const span = spans.get(request)
    return span ? span.within(done) : done()
  })
}
