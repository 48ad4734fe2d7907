import { setImmediate as othersTurn } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { networkOf } from '../../infra/net/addresses.ts'
import { limitConcurrency } from '../../infra/util/semaphore.ts'
import { ProtocolError } from '../../protocol/errors.ts'

/**
 * Limit for one body. The largest body needs about half of these pieces when a network delivers only its smallest packets.
 */
const MOST_PIECES = 4096
/** Bytes of all bodies that wait for their callers: to send the rest or to read the answer. */
const MOST_WAITING_BYTES = 64 * 1024 * 1024
/**
 * Bytes of all large bodies that are complete and being processed. The limit is separate from MOST_WAITING: a caller must
 * not lose its connection because of other callers.
 */
const MOST_IN_PROCESS_BYTES = 32 * 1024 * 1024
/** One network may use this part of the bytes that other networks leave free. Its first body is not limited by this. */
const NETWORK_SHARE = 1 / 4
const RETRY_AFTER_SECONDS = 1
/**
 * Bytes. Parsing and validating a larger body takes noticeable time. At most one such body starts in each turn of the event
 * loop.
 */
const LARGE_BYTES = 8 * 1024
/** Bytes of memory overhead for each piece. */
const OVERHEAD_BYTES_PER_PIECE = 512

interface Body {
  pieces: number
  receivedBytes: number
  /** Whether its call has ended. Later pieces are not counted any more. */
  isOver: boolean
  /** The caller's network, set only while its call is processed. */
  network?: string
  cutOff(): void
}

/**
 * Bounds the memory of request bodies. A body can arrive in pieces of any size, and each piece needs far more memory than
 * its content: one mebibyte in chunks of one byte took half a gigabyte. Incomplete bodies stay in memory until their
 * timeout: two thousand of them took two gigabytes. The server therefore closes a connection that sends too many pieces.
 * When all bodies together are too large, it closes the connections that have waited longest: an honest client sends its
 * body at once.
 */
export function boundBodies(app: FastifyInstance) {
  const bodies = new WeakMap<FastifyRequest, Body>()
  const waiting = waitingBodies()
  const atWork = bodiesInProcess()
  const inTurn = limitConcurrency(1)

  app.addHook('preParsing', (request, reply, payload, done) => {
    if (!hasBody(request)) return done(null, payload)
    const body: Body = { pieces: 0, receivedBytes: 0, isOver: false, cutOff: () => request.raw.socket.destroy() }
    bodies.set(request, body)
    waiting.add(body)
    payload.on('data', (piece: Buffer) => {
      if (body.isOver) return
      if (++body.pieces > MOST_PIECES) payload.destroy()
      waiting.grow(body, piece.length + OVERHEAD_BYTES_PER_PIECE)
    })
    payload.once('end', () => waiting.remove(body))
    reply.raw.once('close', () => {
      atWork.remove(body)
      waiting.remove(body)
      body.isOver = true
    })
    done(null, payload)
  })
  app.addHook('preValidation', (request, reply, done) => {
    const body = bodies.get(request)
    if (!body || body.receivedBytes <= LARGE_BYTES || reply.raw.closed) return done()
    const refusal = atWork.add(body, networkOf(request.ip))
    if (refusal) return done(refusal)
    inTurn(othersTurn).then(() => done(), done)
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    const body = bodies.get(request)
    if (body) {
      atWork.remove(body)
      if (!reply.raw.closed) waiting.add(body)
    }
    done(null, payload)
  })
}

/** Bodies that wait for their callers, the oldest first. */
function waitingBodies() {
  const waiting = new Set<Body>()
  let waitingBytes = 0
  const remove = (body: Body) => {
    if (waiting.delete(body)) waitingBytes -= body.receivedBytes
  }
  const makeRoom = () => {
    for (const first of waiting) {
      if (waitingBytes <= MOST_WAITING_BYTES) return
      remove(first)
      first.isOver = true
      first.cutOff()
    }
  }
  return {
    remove,
    add(body: Body) {
      if (waiting.has(body)) return
      waiting.add(body)
      waitingBytes += body.receivedBytes
      makeRoom()
    },
    grow(body: Body, bytes: number) {
      body.receivedBytes += bytes
      waitingBytes += bytes
      makeRoom()
    },
  }
}

/** Large bodies that are being processed. A call may itself wait for a host that its caller named. */
function bodiesInProcess() {
  const networks = new Map<string, number>()
  let left = MOST_IN_PROCESS_BYTES
  return {
    add(body: Body, network: string): ProtocolError | undefined {
      const networkBytes = networks.get(network) ?? 0
      if (body.receivedBytes > left) return tooManyBodies('service_unavailable')
      if (networkBytes > 0 && networkBytes + body.receivedBytes > NETWORK_SHARE * (left + networkBytes))
        return tooManyBodies('rate_limited', 'from your address ')
      networks.set(network, networkBytes + body.receivedBytes)
      left -= body.receivedBytes
      body.network = network
    },
    remove(body: Body) {
      const { network } = body
      if (network === undefined) return
      delete body.network
      left += body.receivedBytes
      const networkBytes = (networks.get(network) ?? 0) - body.receivedBytes
      if (networkBytes > 0) networks.set(network, networkBytes)
      else networks.delete(network)
    },
  }
}

const hasBody = ({ headers }: FastifyRequest) =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

const tooManyBodies = (code: 'rate_limited' | 'service_unavailable', whose = '') =>
  new ProtocolError(code, `Too many large bodies ${whose}are being processed. Try again.`, {
    retryAfter: RETRY_AFTER_SECONDS,
  })
