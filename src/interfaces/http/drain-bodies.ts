import type { IncomingMessage } from 'node:http'
import { type Duplex, Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'

/** Limits for reading the rest of a body after its answer is known: total bytes, total time and time between two pieces. */
const MOST_BYTES = 16 * 1024 * 1024
/** Each piece counts as at least this many bytes, because handling a piece takes time too. */
const LEAST_CHUNK_BYTES = 1024
const MOST_MS = 10_000
const MOST_PAUSE_MS = 1_000

const answered = new WeakSet<Duplex>()

/** Whether the last request of the connection has its answer, even when its body is not complete. */
export const wasAnswered = (connection: Duplex): boolean => answered.has(connection)

/**
 * Closing a connection while its client still sends resets it, and a client that reads only afterwards never sees the
 * answer. When the answer is known before the whole body arrived, the server reads the rest after the answer, within
 * limits.
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
