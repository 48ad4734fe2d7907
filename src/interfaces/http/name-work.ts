import type { FastifyInstance } from 'fastify'
import { underway } from '../../infra/telemetry/event-loop/underway.ts'

/** Whatever runs for a request runs under the name of its operation, from the first hook on. */
export function runNamed(app: FastifyInstance) {
  app.addHook('onRequest', (request, _, done) => underway(request, done))
  // Who waited for the body was woken by the connection, which serves many requests.
  app.addHook('preValidation', (request, _, done) => underway(request, done))
}
