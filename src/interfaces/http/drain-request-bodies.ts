import type { IncomingMessage } from 'node:http'
import { type Duplex, Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'

/** After the server has sent its answer, it reads at most this number of bytes of the request body. */
const MOST_BYTES = 16 * 1024 * 1024
/** Each piece of a request body counts as at least this number of bytes, because each piece costs the server time. */
const LEAST_CHUNK_BYTES = 1024
/**
 * After the server has sent its answer, it reads the rest of the request body for at most this number of milliseconds.
 */
const MOST_MS = 10_000
/** The server stops reading the rest of a request body after this number of milliseconds without a new piece. */
const MOST_PAUSE_MS = 1_000

const answered = new WeakSet<Duplex>()

/**
 * Whether the server answered the last request on the connection before the whole request body arrived. The rest of the
 * body may still arrive.
 */
export const wasAnswered = (connection: Duplex): boolean => answered.has(connection)

/**
 * The server can answer before the whole request body has arrived. It then reads the rest of the body, within limits.
 * Otherwise, the connection would close at once, and the client could see a connection error instead of the answer.
 */
export function drainBodies(app: FastifyInstance) {
  app.addHook('onSend', ({ raw: request }, reply, payload, done) => {
    const isAnswer = typeof payload === 'string' || Buffer.isBuffer(payload)
    if (request.complete !== false || !announcesBody(request) || !isAnswer) return done()
    const answer = Buffer.from(payload)
    answered.add(request.socket)
    reply.headers({ 'content-length': answer.length, connection: 'close' })
    done(null, Readable.from(answerThenDrain(answer, request)))
  })
}

async function* answerThenDrain(answer: Buffer, request: IncomingMessage) {
  yield answer
  await drained(request)
}

async function drained(request: IncomingMessage): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const end = () => resolve()
  const whole = setTimeout(end, MOST_MS)
  const pause = setTimeout(end, MOST_PAUSE_MS)
  let left = MOST_BYTES
  request.on('data', ({ length }: Buffer) => {
    pause.refresh()
    left -= Math.max(length, LEAST_CHUNK_BYTES)
    if (left < 0) resolve()
  })
  request.once('end', end).once('close', end)
  if (request.complete || request.destroyed) resolve()
  await promise
  clearTimeout(whole)
  clearTimeout(pause)
}

const announcesBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
