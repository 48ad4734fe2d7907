import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { type RequestOptions, request } from 'node:https'
import { TLSSocket } from 'node:tls'

export interface Sent {
  method?: string
  path: string
  headers?: Record<string, string>
  body?: unknown
}

/** Sends one request over TLS. Uses a new connection without an agent. */
export async function sendOverTls(options: RequestOptions, { method = 'POST', path, headers = {}, body }: Sent) {
  const payload = body === undefined ? '' : JSON.stringify(body)
  const call = request({
    host: '127.0.0.1',
    agent: false,
    ...options,
    method,
    path,
    headers: { ...(payload && { 'content-type': 'application/json' }), ...headers },
  })
  call.end(payload)
  const [response]: IncomingMessage[] = await once(call, 'response')
  if (!response || !(response.socket instanceof TLSSocket)) throw new Error('There is no answer over TLS')
  const { socket, statusCode: status, headers: answered } = response
  const seen = { status, headers: answered, protocol: socket.getProtocol(), resumed: socket.isSessionReused() }
  const chunks: Buffer[] = await response.toArray()
  const text = Buffer.concat(chunks).toString()
  return { ...seen, body: text === '' ? undefined : JSON.parse(text) }
}
