import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'
import { loopbackCertificate } from '../../src/core/egress/development/loopback-certificate.ts'
import type { TestServer } from './server.ts'

/** An https address on loopback that exists before its server starts. */
export interface HttpsFront {
  origin: string
  host: string
  targets: string[]
  server: TestServer | undefined
}

export async function openHttpsFront(): Promise<HttpsFront> {
  const front: HttpsFront = { origin: '', host: '', targets: [], server: undefined }
  const listener = createServer(loopbackCertificate(), async (request, response) => {
    const { method = 'GET', url = '/', headers } = request
    front.targets.push(url)
    const chunks: Buffer[] = await request.toArray()
    const answer = await front.server?.inject({
      method: method as 'GET',
      url,
      headers,
      payload: Buffer.concat(chunks),
    })
    response.writeHead(answer?.statusCode ?? 503, answer?.headers).end(answer?.rawPayload)
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  afterAll(() => {
    listener.closeAllConnections()
    listener.close()
  })
  front.host = `127.0.0.1:${(listener.address() as AddressInfo).port}`
  front.origin = `https://${front.host}`
  return front
}
