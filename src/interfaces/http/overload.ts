import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Dependencies } from '../../protocol/dependencies.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { isProbe } from './health.ts'

/**
 * The most calls in process for each database connection. With more calls, the last call would wait longer than its
 * caller does.
 */
const MOST_PER_CONNECTION = 100
/**
 * Milliseconds. The server refuses calls if timers fire later than `MOST_LATENESS_MS`. The server measures every
 * `MEASURED_EVERY_MS`.
 */
const MOST_LATENESS_MS = 1000
const MEASURED_EVERY_MS = 500
const RETRY_AFTER_SECONDS = 2

/**
 * Refuses calls, before their bodies are read, if the server has more work than it can finish in time. Some callers are
 * then served well, instead of all callers badly. Only calls in process count, and not slow uploads or downloads, so
 * slow clients cannot reach the limit. (@fastify/under-pressure watches only the process, but the bottleneck of this
 * server is the database pool.)
 */
export function refuseOverload(app: FastifyInstance, { config }: Dependencies<'config'>) {
  const most = config.databasePool * MOST_PER_CONNECTION
  const atWork = new WeakSet<FastifyRequest>()
  const lateness = measureLateness(app)
  let count = 0

  app.addHook('onRequest', (request, _, done) => {
    if ((count < most && lateness() < MOST_LATENESS_MS) || isProbe(request)) return done()
    throw new ProtocolError('service_unavailable', 'The server has more requests than it can handle at present.', {
      retryAfter: RETRY_AFTER_SECONDS,
    })
  })
  app.addHook('preValidation', (request, reply, done) => {
    if (reply.raw.destroyed) return done()
    atWork.add(request)
    count++
    // A request may never reach `onSend` if its client hangs up.
    reply.raw.once('close', () => leave(request))
    done()
  })
  app.addHook('onSend', (request, _, __, done) => {
    leave(request)
    done()
  })

  const leave = (request: FastifyRequest) => {
    if (atWork.delete(request)) count--
  }
}

/**
 * Returns the lateness of timers in this process, in milliseconds. The result is the smaller of the last two
 * measurements, because a single pause is normal.
 */
function measureLateness(app: FastifyInstance): () => number {
  let [previous, last] = [0, 0]
  app.addHook('onListen', async () => {
    let due = performance.now() + MEASURED_EVERY_MS
    const timer = setInterval(() => {
      previous = last
      last = performance.now() - due
      due = performance.now() + MEASURED_EVERY_MS
    }, MEASURED_EVERY_MS).unref()
    app.server.once('close', () => clearInterval(timer))
  })
  return () => Math.min(previous, last)
}
