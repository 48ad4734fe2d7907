import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** The most bytes of all answers together that callers have not read yet. */
const MOST_UNREAD_BYTES = 64 * 1024 * 1024
/**
 * Bytes. The server sends a long answer in pieces of this size, and each piece only after the client took the previous
 * piece. The server thus knows which clients read.
 */
const PIECE_BYTES = 64 * 1024
/**
 * Milliseconds of one round. If a client reads nothing for `PATIENCE_ROUNDS` rounds, the server may close its
 * connection.
 */
const ROUND_MS = 250
const PATIENCE_ROUNDS = 4

interface Answer {
  bytes: number
  lastReadRound: number
  cutOff(): void
}

/**
 * Limits the memory of unread answers. A client can request large answers with few bytes: a hundred answers of five
 * megabytes occupied half a gigabyte for a minute. If all unread answers together are too large, the server closes the
 * connection whose client has read nothing for the longest time. A client that reads slowly keeps its connection.
 */
export function boundUnreadAnswers(app: FastifyInstance) {
  /** The unread answers. The answer with the longest time without progress comes first. */
  const unread = new Set<Answer>()
  const round = countRounds(app)
  let unreadBytes = 0

  app.addHook('onSend', (request, reply, answerBody, done) => {
    const { raw } = reply
    if (!isContent(answerBody) || raw.destroyed || request.method === 'HEAD') return done(null, answerBody)
    // Encodes the text once, and sends the bytes. Otherwise the text would be encoded three times: for its length in
    // this hook, for its length in Fastify, and for sending.
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
 * Counts rounds. All sockets get a turn of the event loop in each round. So a client that reads is not punished for a
 * time in which the server itself was busy.
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
  // A buffer is one copy that all requests share. Each request counts only the piece that is being sent.
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
