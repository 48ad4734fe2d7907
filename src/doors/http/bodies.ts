import { setImmediate as othersTurn } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { limitConcurrency } from '../../basics/concurrency-limit.ts'
import { networkOf } from '../../net/addresses.ts'
import { ProtocolError } from '../../protocol/errors.ts'

/** Of one body. The largest comes in half as many where a network takes only its smallest packets. */
const MOST_PIECES = 4096
/** Bytes of all bodies, from when they come until their calls have ended. */
const MOST_KEPT = 64 * 1024 * 1024
/** Of large ones that are whole and worked on, for one address: others who send theirs must not be cut off for them. */
const MOST_AT_WORK = MOST_KEPT / 4
const RETRY_AFTER = 1
/** Bytes of a body that takes noticeable time to parse and to check: no two of them in one turn. */
const LARGE = 8 * 1024
/** Bytes that a piece takes besides what it holds. */
const PER_PIECE = 512

interface Body {
  pieces: number
  kept: number
  /** Whether its call has ended: what still comes is kept by nobody. */
  isOver: boolean
  /** While its call is worked on, where it came from. */
  network?: string
  cutOff(): void
}

/**
 * A body comes in pieces of any size, and each takes far more memory and time than it holds: a mebibyte in chunks of one
 * byte took half a gigabyte. And what waits for its caller stays until the caller's time is over: two thousand bodies that
 * were never whole took two gigabytes. So who sends that many pieces loses the connection, and where all bodies together
 * are too much, whoever has kept us waiting longest: an honest body is whole at once.
 */
export function boundBodies(app: FastifyInstance) {
  const bodies = new WeakMap<FastifyRequest, Body>()
  /** Those that wait for their callers, to send the rest or to read the answer. */
  const waiting = new Set<Body>()
  /** Bytes by network. */
  const atWork = new Map<string, number>()
  let kept = 0
  const inTurn = limitConcurrency(1)

  app.addHook('preParsing', (request, reply, payload, done) => {
    if (!hasBody(request)) return done(null, payload)
    const body: Body = { pieces: 0, kept: 0, isOver: false, cutOff: () => request.raw.socket.destroy() }
    bodies.set(request, body)
    waiting.add(body)
    payload.on('data', (piece: Buffer) => {
      if (body.isOver) return
      keep(body, piece.length + PER_PIECE)
      if (++body.pieces > MOST_PIECES) payload.destroy()
      makeRoom()
    })
    payload.once('end', () => waiting.delete(body))
    reply.raw.once('close', () => letGo(body))
    done(null, payload)
  })
  app.addHook('preValidation', (request, reply, done) => {
    const body = bodies.get(request)
    if (!body || body.kept <= LARGE || reply.raw.closed) return done()
    const network = networkOf(request.ip)
    const others = atWork.get(network) ?? 0
    if (others > 0 && others + body.kept > MOST_AT_WORK) return done(tooMuch())
    atWork.set(network, others + body.kept)
    body.network = network
    inTurn(othersTurn).then(() => done(), done)
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    const body = bodies.get(request)
    if (body) {
      leaveWork(body)
      if (!reply.raw.closed) waiting.add(body)
    }
    done(null, payload)
  })

  const keep = (body: Body, bytes: number) => {
    body.kept += bytes
    kept += bytes
  }
  const leaveWork = (body: Body) => {
    const { network } = body
    if (network === undefined) return
    delete body.network
    const left = (atWork.get(network) ?? 0) - body.kept
    if (left > 0) atWork.set(network, left)
    else atWork.delete(network)
  }
  const letGo = (body: Body) => {
    leaveWork(body)
    waiting.delete(body)
    keep(body, -body.kept)
    body.isOver = true
  }
  const makeRoom = () => {
    for (const first of waiting) {
      if (kept <= MOST_KEPT) return
      letGo(first)
      first.cutOff()
    }
  }
}

const hasBody = ({ headers }: FastifyRequest) =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

const tooMuch = () =>
  new ProtocolError(
    'rate_limited',
    `Bodies of ${MOST_AT_WORK} bytes from your address are being worked on. Try again.`,
    {
      retryAfter: RETRY_AFTER,
    },
  )
