import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { errors, type ProtocolCode } from '../../protocol/errors.ts'
import { wasAnswered } from './drain-bodies.ts'

const statuses: Record<string, [number, string]> = {
  HPE_HEADER_OVERFLOW: [431, 'The request headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive.'],
}

/** Milliseconds between the answer and the end of the connection. */
const CLOSE_DELAY_MS = 1000

/** What is no HTTP request reaches no route; it is answered on the bare connection, which then ends. */
export function refuseMalformed(error: NodeJS.ErrnoException, socket: Socket) {
  // What failed below HTTP, as a TLS handshake does, can be told nothing.
  if (!/^(HPE|ERR_HTTP)_/.test(error.code ?? '')) return socket.destroy()
  // More of what has its answer already: to hang up on it now would take the answer away.
  if (!socket.writable) return
  if (wasAnswered(socket)) return socket.destroySoon()
  const [status, detail] = statuses[error.code ?? ''] ?? [400, 'This is not a readable HTTP/1.1 request.']
  answerOnSocket(socket, { status, detail, code: 'invalid_request' })
}

/** CONNECT asks for the way to another server, so it reaches no route either. */
export function refuseTunnel(_: IncomingMessage, socket: Duplex) {
  answerOnSocket(socket, { status: 405, detail: 'This server leads to no other.', code: 'method_not_allowed' }, [
    'Allow: GET, HEAD, POST, PUT, DELETE, OPTIONS',
  ])
}

interface Refusal {
  status: number
  detail: string
  code: ProtocolCode
}

function answerOnSocket(socket: Duplex, { status, detail, code }: Refusal, headers: string[] = []) {
  const type = `https://usp-protocol.dev/errors/${code.replaceAll('_', '-')}`
  const body = JSON.stringify({ type, title: errors[code].title, status, detail, code })
  const head = [
    `HTTP/1.1 ${status} Refused`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'X-Content-Type-Options: nosniff',
    'Connection: close',
    ...headers,
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  // Its end is not waited for, only given the time to read: who was too slow could keep the connection otherwise.
  setTimeout(() => socket.destroy(), CLOSE_DELAY_MS).unref()
}
