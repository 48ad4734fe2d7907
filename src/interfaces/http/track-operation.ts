import type { FastifyInstance } from 'fastify'
import { runOperation } from '../../infra/telemetry/event-loop/current-operation.ts'

/** Runs all code of a request under the name of its operation, from the first hook on. */
export function trackOperation(app: FastifyInstance) {
  app.addHook('onRequest', (request, _, done) => runOperation(request, done))
  // Reading the body resumes in the context of the connection, which serves many requests. The context must be set again.
  app.addHook('preValidation', (request, _, done) => runOperation(request, done))
}
