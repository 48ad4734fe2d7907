import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { errors, type ProtocolCode, problemType } from '../../protocol/errors.ts'
import { wasAnswered } from './drain-request-bodies.ts'

const statuses: Record<string, [number, string]> = {
  HPE_HEADER_OVERFLOW: [431, 'The request headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive.'],
}

const CLOSE_DELAY_MS = 1000

/**
 * Answers a malformed HTTP request directly on its connection, and then closes the connection. No route handles such a
 * request.
 */
export function refuseMalformed(error: NodeJS.ErrnoException, socket: Socket) {
  // After a failure below HTTP, such as a failed TLS handshake, the server only closes the connection, because the
  // client could not read an answer.
  if (!/^(HPE|ERR_HTTP)_/.test(error.code ?? '')) return socket.destroy()
  if (!socket.writable) return
  // The malformed bytes belong to the body of a request that the server has already answered. The server sends the rest
  // of this answer before it closes the connection.
  if (wasAnswered(socket)) return socket.destroySoon()
  const [status, detail] = statuses[error.code ?? ''] ?? [400, 'This is not a readable HTTP/1.1 request.']
  answerOnSocket(socket, { status, detail, code: 'invalid_request' })
}

/**
 * Refuses a CONNECT request, because this server does not forward connections to other servers. Node does not pass
 * CONNECT requests to routes.
 */
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
  // The server gives the client a short time to read the refusal, and then closes the connection. Therefore a slow
  // client cannot keep the connection open.
  setTimeout(() => socket.destroy(), CLOSE_DELAY_MS).unref()
}
