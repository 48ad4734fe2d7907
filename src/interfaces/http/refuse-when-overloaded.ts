import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { isProbe } from './health.ts'

/**
 * The maximum number of calls in progress for each database connection. With more calls, the last callers would give up
 * before their answers arrive.
 */
const MOST_PER_CONNECTION = 100
/**
 * If the timers of this process run late by more than this number of milliseconds, the server is overloaded and refuses
 * calls. The server measures the lateness every `MEASURED_EVERY_MS` milliseconds.
 */
const MOST_LATENESS_MS = 1000
const MEASURED_EVERY_MS = 500
const RETRY_AFTER_SECONDS = 2

/**
 * Refuses calls before the server reads their bodies, if the server has too much work. The accepted callers still get
 * fast answers. Slow uploads and downloads do not count as work, so slow clients cannot cause refusals. The plugin
 * @fastify/under-pressure is not enough, because it does not measure the bottleneck of this server, the database pool.
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
    // If the client disconnects, Fastify does not run the hook `onSend`. Therefore a call also ends when its connection
    // closes.
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
 * Returns a function that says how late the timers of this process run, in milliseconds. The smaller of the last two
 * measurements counts, because a single pause is normal.
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
