import type { ClientRequest, IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { connect as connectPlain, isIP } from 'node:net'
import { addAbortSignal } from 'node:stream'
import { connect, DEFAULT_CIPHERS, type TLSSocket } from 'node:tls'
import { isLoopback } from '../../infra/net/ip-addresses.ts'
import { EncryptedBytes, MAX_HANDSHAKE_BYTES, skipEmptyWrites } from '../../infra/net/limit-tls-handshake-bytes.ts'
import { loopbackTrust } from './development/loopback-certificate.ts'
import { readInSlices } from './read-response-in-slices.ts'

export interface EgressRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH' | 'PROPFIND' | 'REPORT'
  headers?: Record<string, string>
  body?: Buffer
  /** How long another host may take to send its complete answer, in milliseconds. */
  timeout: number
  mostBytes: number
}

export interface EgressResponse {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

/** A URL to call, and the checked IP addresses of its host. The server tries the addresses in the order of the list. */
export interface Target {
  url: URL
  addresses: string[]
}

/**
 * The TLS ciphers for calls to other hosts. The list excludes DHE, because with DHE the other host chooses the size of
 * the key. A key of 9,984 bits would cost half a second of CPU time.
 */
const CIPHERS = `${DEFAULT_CIPHERS}:!DHE`

const SAYS_TOO_MUCH = `sent more than ${MAX_HANDSHAKE_BYTES / 1024} KB of certificates`

/** The maximum number of interim answers (status 1xx, such as 103) that the server accepts before the final answer. */
const MAX_INTERIM_ANSWERS = 16

/** Sends a request to the first IP address of the host that accepts a connection. */
export async function sendOutside(
  { url, addresses }: Target,
  request: EgressRequest,
  signal: AbortSignal,
): Promise<EgressResponse> {
  const socket = await connectToOne(url, addresses, signal)
  try {
    return await exchange(socket, url, request)
  } catch (error) {
    if (error instanceof EgressError) error.wasSent = true
    throw error
  } finally {
    socket.destroy()
  }
}

async function connectToOne(url: URL, addresses: string[], signal: AbortSignal): Promise<TLSSocket> {
  let failure = noAnswer()
  for (const address of addresses) {
    try {
      return await connectTo(address, url, signal)
    } catch (error) {
      if (error instanceof EgressError) failure = error
      if (signal.aborted) break
    }
  }
  throw failure
}

/**
 * Opens the connection to another host with its own error listener, before the HTTP request begins. The HTTP library
 * adds a listener only later. A network error without a listener, such as a missing route, would crash the server.
 */
function connectTo(address: string, url: URL, signal: AbortSignal): Promise<TLSSocket> {
  const name = hostOf(url).replace(/\.$/, '')
  return new Promise((resolve, reject) => {
    const port = url.port === '' ? 443 : Number(url.port)
    // A host can send up to seventy certificates, and OpenSSL would verify all of them in one turn of the event loop.
    // Therefore `EncryptedBytes` passes the bytes to OpenSSL in small slices. With `allowHalfOpen`, the server can read
    // the last bytes after the host closes its side.
    const bytes = new EncryptedBytes(connectPlain({ host: address, port, allowHalfOpen: true }))
    const socket = connect({
      socket: bytes,
      host: address,
      ciphers: CIPHERS,
      ALPNProtocols: ['http/1.1'],
      ...(isIP(name) === 0 && { servername: name }),
      ...(isLoopback(address) && { secureContext: loopbackTrust(CIPHERS) }),
    })
    skipEmptyWrites(socket)
    const fail = () => reject(bytes.exceededHandshakeLimit ? new EgressError('unreachable', SAYS_TOO_MUCH) : noAnswer())
    socket.on('error', fail)
    socket.on('close', fail)
    socket.on('secureConnect', () => {
      bytes.endHandshake()
      resolve(socket)
    })
    addAbortSignal(signal, socket)
  })
}

function exchange(socket: TLSSocket, url: URL, request: EgressRequest): Promise<EgressResponse> {
  const { method = 'GET', headers = {}, body, mostBytes } = request
  const length = body && { 'content-length': String(body.length) }
  const call = httpsRequest(url, {
    method,
    headers: { ...headers, ...length },
    createConnection: () => readInSlices(socket),
  })
  return readAnswer(call.end(body), mostBytes)
}

/**
 * Reads the answer to a request. The function listens for errors until the call ends, because Node.js ends the process
 * for an error without a listener.
 */
const readAnswer = (call: ClientRequest, mostBytes: number) =>
  new Promise<EgressResponse>((resolve, reject) => {
    let interim = 0
    let isAnswered = false
    call.on('information', () => ++interim > MAX_INTERIM_ANSWERS && call.destroy())
    call.on('response', (response) => {
      isAnswered = true
      const { statusCode: status = 0, headers } = response
      // A lost connection must cause an error. Otherwise, the server would accept an incomplete answer that has no
      // `Content-Length` header.
      call.on('error', (error) => response.complete || response.destroy(error))
      // The server reads the body without delay. A stream without a listener merges its chunks, and `readBody` must
      // count each chunk.
      readBody(response, mostBytes).then((body) => resolve({ status, headers, body }), reject)
    })
    call.on('error', () => isAnswered || reject(noAnswer()))
    // If the other host answers with a protocol upgrade (HTTP 101), Node.js closes the connection without an error
    // event. Without the listener for the event `close`, the call would never end.
    call.on('close', () => isAnswered || reject(noAnswer()))
  })

/**
 * The limit for the number of chunks in the body of an answer: 512 chunks, plus one chunk for each 256 bytes. Honest
 * servers send large chunks, so they stay far below this limit.
 */
const FREE_CHUNKS = 512
const BYTES_PER_CHUNK = 256

/**
 * Reads the body of an answer. The function copies all chunks into one buffer, because millions of small chunks would
 * fill the memory. The call ends with an error after too many chunks, because each chunk costs CPU time.
 */
const readBody = (response: IncomingMessage, mostBytes: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    let buffer = Buffer.alloc(0)
    let length = 0
    let pieces = 0
    const refuse = (problem: string) => {
      reject(new EgressError('oversized', problem))
      response.destroy()
    }
    response.on('data', (piece: Buffer) => {
      const longer = length + piece.length
      if (longer > mostBytes) return refuse(`answered with more than ${mostBytes} bytes`)
      if (++pieces > FREE_CHUNKS + longer / BYTES_PER_CHUNK) return refuse('answered in too many pieces')
      if (longer > buffer.length) buffer = Buffer.concat([buffer], Math.min(mostBytes, 2 * longer))
      piece.copy(buffer, length)
      length = longer
    })
    response.on('end', () => resolve(buffer.subarray(0, length)))
    response.on('error', () => reject(noAnswer()))
    response.on('close', () => reject(noAnswer()))
  })

export const hostOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '')

/** The error for a call to another host that failed, or that this server refused to make. */
export class EgressError extends Error {
  readonly reason: 'forbidden' | 'unreachable' | 'oversized'
  /** Whether the other host may have received the request. */
  wasSent = false

  constructor(reason: 'forbidden' | 'unreachable' | 'oversized', message: string) {
    super(message)
    this.reason = reason
  }
}

export const noAnswer = () => new EgressError('unreachable', 'did not answer')

/**
 * Returns how many seconds the answer may be cached: the value `max-age` of its `Cache-Control` header. Returns 0 if
 * there is no `max-age`.
 */
export const maxAgeOf = ({ headers }: Pick<EgressResponse, 'headers'>): number =>
  Number(/(?:^|[\s,])max-age=(\d{1,9})/i.exec(String(headers['cache-control'] ?? ''))?.[1] ?? 0)
