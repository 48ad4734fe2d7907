import type { Socket } from 'node:net'

const statuses: Record<string, [number, string]> = {
  HPE_HEADER_OVERFLOW: [431, 'The request headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive.'],
}

/** What is no HTTP request reaches no route; it is answered on the bare connection, which then ends. */
export function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket) {
  if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy()
  const [status, detail] = statuses[error.code ?? ''] ?? [400, 'This is not a readable HTTP/1.1 request.']
  const type = 'https://usp-protocol.dev/errors/invalid-request'
  const body = JSON.stringify({ type, title: 'Invalid request', status, detail, code: 'invalid_request' })
  const head = [
    `HTTP/1.1 ${status} Refused`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
