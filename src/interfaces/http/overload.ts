import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ProtocolError } from '../../protocol/errors.ts'
import type { Means } from '../../protocol/means.ts'
import { isProbe } from './health.ts'

/** Calls at work for each database connection. With more, the last would wait longer than its caller does. */
const MOST_PER_CONNECTION = 100
/** Milliseconds that timers may be late before calls are turned away, and how often that is measured. */
const MOST_LATENESS_MS = 1000
const MEASURED_EVERY_MS = 500
const RETRY_AFTER = 2

/**
 * Turns calls away before anything is read of them when there is more to do than can be done in time: some are served
 * well then, instead of all badly. Counted is what is worked on, not what trickles in or out: nobody can fill the
 * count by being slow. (@fastify/under-pressure sees the process alone; what fills up here is the database pool.)
 */
export function refuseOverload(app: FastifyInstance, { config }: Means<'config'>) {
  const most = config.databasePool * MOST_PER_CONNECTION
  const atWork = new WeakSet<FastifyRequest>()
  const lateness = measureLateness(app)
  let count = 0

  app.addHook('onRequest', (request, _, done) => {
    if ((count < most && lateness() < MOST_LATENESS_MS) || isProbe(request)) return done()
    throw new ProtocolError('service_unavailable', 'There is more to do than can be done at once.', {
      retryAfter: RETRY_AFTER,
    })
  })
  app.addHook('preValidation', (request, reply, done) => {
    if (reply.raw.destroyed) return done()
    atWork.add(request)
    count++
    // Who hangs up may get no answer to send.
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

/** How late, in milliseconds, timers of the listening process come. One alone says little: anything pauses at times. */
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
