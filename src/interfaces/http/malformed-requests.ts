import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { errors, type ProtocolCode, problemType } from '../../protocol/errors.ts'
import { wasAnswered } from './drain-bodies.ts'

const statuses: Record<string, [number, string]> = {
  HPE_HEADER_OVERFLOW: [431, 'The request headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive.'],
}

const CLOSE_DELAY_MS = 1000

/**
 * Answers a malformed HTTP request on the raw connection and then closes the connection. A malformed request reaches no
 * route.
 */
export function refuseMalformed(error: NodeJS.ErrnoException, socket: Socket) {
  // If something below HTTP failed, such as the TLS handshake, the client cannot read an HTTP answer.
  if (!/^(HPE|ERR_HTTP)_/.test(error.code ?? '')) return socket.destroy()
  // The bytes are the rest of a request that already has its answer. If the server destroyed the connection now, the
  // client would lose the answer.
  if (!socket.writable) return
  if (wasAnswered(socket)) return socket.destroySoon()
  const [status, detail] = statuses[error.code ?? ''] ?? [400, 'This is not a readable HTTP/1.1 request.']
  answerOnSocket(socket, { status, detail, code: 'invalid_request' })
}

/** Refuses a CONNECT request, which asks for a tunnel to another server. A CONNECT request reaches no route. */
export function refuseTunnel(_: IncomingMessage, socket: Duplex) {
  answerOnSocket(socket, { status: 405, detail: 'This server is not a proxy.', code: 'method_not_allowed' }, [
    'Allow: GET, HEAD, POST, PUT, DELETE, OPTIONS',
  ])
}

interface Refusal {
  status: number
  detail: string
  code: ProtocolCode
}

function answerOnSocket(socket: Duplex, { status, detail, code }: Refusal, headers: string[] = []) {
  const body = JSON.stringify({ type: problemType(code), title: errors[code].title, status, detail, code })
  const head = [
    `HTTP/1.1 ${status} Refused`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'X-Content-Type-Options: nosniff',
    'Connection: close',
    ...headers,
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  // Closes the connection after the client had time to read the answer. The server does not wait longer, because a slow
  // client could keep the connection.
  setTimeout(() => socket.destroy(), CLOSE_DELAY_MS).unref()
}
