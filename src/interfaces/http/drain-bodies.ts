import type { IncomingMessage } from 'node:http'
import { type Duplex, Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'

/**
 * Limits for the rest of a request body that arrives after the answer: in bytes, in milliseconds altogether, and in
 * milliseconds between two pieces.
 */
const MOST_BYTES = 16 * 1024 * 1024
/**
 * The least number of bytes that each piece of a request body counts, even if the piece is smaller. Each piece costs
 * the server time.
 */
const LEAST_CHUNK_BYTES = 1024
const MOST_MS = 10_000
const MOST_PAUSE_MS = 1_000

const answered = new WeakSet<Duplex>()

/**
 * Whether the server has already answered the last request on the connection. The rest of this request's body may
 * arrive after the answer.
 */
export const wasAnswered = (connection: Duplex): boolean => answered.has(connection)

/**
 * After the server has sent the answer, reads the rest of the request body, within limits. If the server closed the
 * connection at once, the client could see a connection error instead of the answer.
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
