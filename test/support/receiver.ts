import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'
import { loopbackCertificate } from '../../src/core/egress/development/loopback-certificate.ts'

export interface Received {
  method: string
  path: string
  headers: IncomingHttpHeaders
  raw: Buffer
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails where it is not
  body: any
}

export interface Receiver {
  url: string
  received: Received[]
  /** The answer to the next calls: a status, no answer, or a broken connection. */
  answer: number | 'nothing' | 'hang up'
  beforeAnswer?(): Promise<unknown>
}

export async function testReceiver(path = '/hooks?from=usp'): Promise<Receiver> {
  const receiver: Receiver = { url: '', received: [], answer: 204 }
  const server = createServer(loopbackCertificate(), async (request, response) => {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk)
    } catch {
      // The sender was killed.
      return
    }
    const raw = Buffer.concat(chunks)
    const { method = '', url = '', headers } = request
    receiver.received.push({ method, path: url, headers, raw, body: JSON.parse(raw.toString()) })
    await receiver.beforeAnswer?.()
    if (receiver.answer === 'hang up') request.socket.destroy()
    else if (receiver.answer !== 'nothing') response.writeHead(receiver.answer).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  receiver.url = `https://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
  return receiver
}
