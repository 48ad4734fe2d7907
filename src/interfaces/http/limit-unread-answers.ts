import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** The maximum number of bytes of answers that clients have not read yet, for all clients together. */
const MOST_UNREAD_BYTES = 64 * 1024 * 1024
/**
 * The server sends a long answer in pieces of this number of bytes. It sends each piece after the client has taken the
 * previous piece. Therefore the server knows which clients are reading.
 */
const PIECE_BYTES = 64 * 1024
/**
 * The length of a round in milliseconds. The server measures in rounds how long a client reads nothing. After
 * `PATIENCE_ROUNDS` such rounds, the server may close the client's connection.
 */
const ROUND_MS = 250
const PATIENCE_ROUNDS = 4

interface Answer {
  bytes: number
  lastReadRound: number
  cutOff(): void
}

/**
 * Limits the memory that unread answers use. A small request can cause a large answer: a hundred unread answers of five
 * megabytes used half a gigabyte. If all unread answers together are too large, the server closes the connection that
 * has read nothing for the longest time. A client that reads slowly keeps its connection.
 */
export function boundUnreadAnswers(app: FastifyInstance) {
  /**
   * The answers that clients have not read completely. The answer whose client has read nothing for the longest time
   * comes first.
   */
  const unread = new Set<Answer>()
  const round = countRounds(app)
  let unreadBytes = 0

  app.addHook('onSend', (request, reply, answerBody, done) => {
    const { raw } = reply
    if (!isContent(answerBody) || raw.destroyed || request.method === 'HEAD') return done(null, answerBody)
    // The server converts the text of the answer to bytes once, at this point. Otherwise, Node would convert the text
    // three times: twice to find its length, and once to send it.
    const payload = typeof answerBody === 'string' ? Buffer.from(answerBody) : answerBody
    const answer: Answer = {
      bytes: bytesOf(answerBody, payload, reply),
      lastReadRound: round(),
      cutOff: () => request.raw.socket.destroy(),
    }
    unread.add(answer)
    unreadBytes += answer.bytes
    raw.once('close', () => letGo(answer))
    makeRoom()
    if (!(payload instanceof Readable)) {
      if (payload.length <= PIECE_BYTES) return done(null, payload)
      reply.header('content-length', payload.length)
    }
    done(null, Readable.from(piecesOf(payload, () => noteProgress(answer))))
  })

  const noteProgress = (answer: Answer) => {
    answer.lastReadRound = round()
    if (unread.delete(answer)) unread.add(answer)
  }
  const letGo = (answer: Answer) => {
    if (unread.delete(answer)) unreadBytes -= answer.bytes
  }
  const makeRoom = () => {
    for (const first of unread) {
      if (unreadBytes <= MOST_UNREAD_BYTES || round() - first.lastReadRound < PATIENCE_ROUNDS) return
      letGo(first)
      first.cutOff()
    }
  }
}

/**
 * Counts the rounds in which the server measures the inactivity of clients. In each round, all sockets get a turn of
 * the event loop. Therefore the time in which the server itself is busy does not count against a client.
 */
function countRounds(app: FastifyInstance): () => number {
  let rounds = 0
  app.addHook('onListen', async () => {
    const timer = setInterval(() => setImmediate(() => rounds++), ROUND_MS).unref()
    app.server.once('close', () => clearInterval(timer))
  })
  return () => rounds
}

type Content = string | Buffer | Readable

const isContent = (payload: unknown): payload is Content =>
  typeof payload === 'string' || Buffer.isBuffer(payload) || payload instanceof Readable

function bytesOf(answerBody: Content, payload: Buffer | Readable, reply: FastifyReply): number {
  if (payload instanceof Readable) return Number(reply.getHeader('content-length') ?? PIECE_BYTES)
  // Only one piece counts for each request with a fixed answer, because all requests for this answer share one buffer
  // in memory.
  return typeof answerBody === 'string' ? payload.length : PIECE_BYTES
}

async function* piecesOf(payload: Buffer | Readable, noteProgress: () => void) {
  for await (const part of payload instanceof Readable ? payload : [payload]) {
    const bytes: Buffer = typeof part === 'string' ? Buffer.from(part) : part
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      yield bytes.subarray(at, at + PIECE_BYTES)
      noteProgress()
    }
  }
}
