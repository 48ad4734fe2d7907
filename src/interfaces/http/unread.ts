import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** Bytes of all answers, until their callers have read them. */
const MOST_KEPT = 64 * 1024 * 1024
/** A long answer goes out in pieces, each when the one before it was taken: so it shows who reads. */
const PIECE = 64 * 1024
/** Milliseconds of a round, and rounds in which somebody may take nothing and is never cut off. */
const ROUND_MS = 250
const PATIENCE = 4

interface Answer {
  bytes: number
  /** The round in which something of it was last taken. */
  taken: number
  cutOff(): void
}

/**
 * An answer stays until it was read, and who does not read it need not send much to be given it: a hundred of five megabytes
 * were half a gigabyte for a minute. So where all answers together are too much, whoever has taken nothing for longest
 * loses the connection; who reads, however slowly, is not among them.
 */
export function boundUnread(app: FastifyInstance) {
  /** Who has taken nothing for longest comes first. */
  const unread = new Set<Answer>()
  const round = countRounds(app)
  let kept = 0

  app.addHook('onSend', (request, reply, given, done) => {
    const { raw } = reply
    if (!isContent(given) || raw.destroyed || request.method === 'HEAD') return done(null, given)
    // A text is put into bytes here once: else it is for its length here, for its length in Fastify, and to be sent.
    const payload = typeof given === 'string' ? Buffer.from(given) : given
    const answer: Answer = {
      bytes: bytesOf(given, payload, reply),
      taken: round(),
      cutOff: () => request.raw.socket.destroy(),
    }
    unread.add(answer)
    kept += answer.bytes
    raw.once('close', () => letGo(answer))
    makeRoom()
    if (!(payload instanceof Readable)) {
      if (payload.length <= PIECE) return done(null, payload)
      reply.header('content-length', payload.length)
    }
    done(null, Readable.from(piecesOf(payload, () => taken(answer))))
  })

  const taken = (answer: Answer) => {
    answer.taken = round()
    if (unread.delete(answer)) unread.add(answer)
  }
  const letGo = (answer: Answer) => {
    if (unread.delete(answer)) kept -= answer.bytes
  }
  const makeRoom = () => {
    for (const first of unread) {
      if (kept <= MOST_KEPT || round() - first.taken < PATIENCE) return
      letGo(first)
      first.cutOff()
    }
  }
}

/** In each the sockets had their turn: whoever reads is not to blame for what keeps us busy. */
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

function bytesOf(given: Content, payload: Buffer | Readable, reply: FastifyReply): number {
  if (payload instanceof Readable) return Number(reply.getHeader('content-length') ?? PIECE)
  // What came as bytes is one copy for all who ask: of it no more is kept for each than is on its way.
  return typeof given === 'string' ? payload.length : PIECE
}

async function* piecesOf(payload: Buffer | Readable, taken: () => void) {
  for await (const part of payload instanceof Readable ? payload : [payload]) {
    const bytes: Buffer = typeof part === 'string' ? Buffer.from(part) : part
    for (let at = 0; at < bytes.length; at += PIECE) {
      yield bytes.subarray(at, at + PIECE)
      taken()
    }
  }
}
