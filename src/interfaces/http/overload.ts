import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Dependencies } from '../../protocol/dependencies.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { isProbe } from './health.ts'

/** Calls in process for each database connection. With more, the last one would wait longer than its caller does. */
const MOST_PER_CONNECTION = 100
/** Milliseconds. The server refuses calls when timers are later than this. It measures at this interval. */
const MOST_LATENESS_MS = 1000
const MEASURED_EVERY_MS = 500
const RETRY_AFTER_SECONDS = 2

/**
 * Refuses calls before it reads their bodies when it has more work than it can finish in time. It then serves some callers
 * well instead of all badly. The count covers only calls in process, not slow uploads or downloads: a slow client cannot
 * fill the count. (@fastify/under-pressure watches only the process; here the database pool is the bottleneck.)
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
    // A request whose client hangs up may never reach onSend.
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
 * Timer lateness of the listening process, in milliseconds. It is the smaller of the last two values: a single pause is
 * normal.
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
