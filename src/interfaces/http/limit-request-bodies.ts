import { setImmediate as othersTurn } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { networkOf } from '../../infra/net/ip-addresses.ts'
import { limitConcurrency } from '../../infra/util/semaphore.ts'
import { ProtocolError } from '../../protocol/errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The maximum number of pieces of a body, for a route that accepts larger bodies than the other routes. */
    mostBodyPieces?: number
  }
}

/**
 * The maximum number of pieces in which one request body may arrive. Honest clients stay below this limit: even with
 * the smallest network packets, the largest allowed body needs only about half of this number.
 */
const MOST_PIECES = 4096
/**
 * The maximum total size of all waiting request bodies, in bytes. A body counts as waiting while the caller still sends
 * it. It counts again while the caller has not read the answer.
 */
const MOST_WAITING_BYTES = 64 * 1024 * 1024
/**
 * The maximum total size of all large request bodies that the server is processing, in bytes. Waiting bodies have the
 * separate limit `MOST_WAITING_BYTES`. With one common limit, large bodies in progress could make the server close the
 * connections of other callers.
 */
const MOST_IN_PROCESS_BYTES = 32 * 1024 * 1024
/**
 * The share of the free bytes for large request bodies that one network (IP address range) may use. The first body from
 * a network may exceed this share.
 */
const NETWORK_SHARE = 1 / 4
const RETRY_AFTER_SECONDS = 1
/**
 * A request body with more than this number of bytes counts as large. Parsing a large body takes noticeable time, so
 * the server starts only one of them in each turn of the event loop.
 */
const LARGE_BYTES = 8 * 1024
/** The memory that each piece of a request body needs in addition to its content, in bytes. */
const OVERHEAD_BYTES_PER_PIECE = 512

interface Body {
  pieces: number
  receivedBytes: number
  /** Whether the call with this request body has ended. After the end, the server does not count further pieces. */
  isOver: boolean
  /**
   * The network (IP address range) of the caller. The server sets this property only while it processes a large body.
   */
  network?: string
  cutOff(): void
}

/**
 * Limits the memory that request bodies use. One mebibyte in chunks of one byte used half a gigabyte, so the server
 * closes a connection that sends too many pieces. Two thousand incomplete bodies used two gigabytes. Therefore, if all
 * bodies together are too large, the server closes the connections that have waited longest.
 */
export function boundBodies(app: FastifyInstance) {
  const bodies = new WeakMap<FastifyRequest, Body>()
  const waiting = waitingBodies()
  const atWork = bodiesInProcess()
  const inTurn = limitConcurrency(1)

  app.addHook('preParsing', (request, reply, payload, done) => {
    if (!hasBody(request)) return done(null, payload)
    const { mostBodyPieces = MOST_PIECES } = request.routeOptions.config
    const body: Body = { pieces: 0, receivedBytes: 0, isOver: false, cutOff: () => request.raw.socket.destroy() }
    bodies.set(request, body)
    waiting.add(body)
    payload.on('data', (piece: Buffer) => {
      if (body.isOver) return
      if (++body.pieces > mostBodyPieces) payload.destroy()
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

/**
 * The request bodies that wait for their callers. Such a caller has not sent the rest of the body, or has not read the
 * answer. The body that has waited longest comes first.
 */
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

/**
 * Counts the large request bodies of calls that the server is processing. Such a call can take long, for example if the
 * server waits for a host that the caller named.
 */
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
