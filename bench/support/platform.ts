import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:https'
import { generateKey, publishedKey } from '../../packages/client/index.ts'
import { openKey, type PlatformKey } from '../../packages/client/platform-key.ts'
import { signed } from '../../packages/client/sign-request.ts'
import { loopbackCertificate } from '../../src/core/egress/development/loopback-certificate.ts'
import { capabilities, UCP_VERSION, VERSION } from '../../src/protocol/capabilities.ts'
import type { PreparedRequest } from './load.ts'

/** A platform with many keys. The server treats each key as a separate caller. */
export interface Platform {
  keys: PlatformKey[]
  /** Creates a request that one of the keys has signed (RFC 9421). Each request has a new idempotency key. */
  sign(key: PlatformKey, origin: string, path: string, input: object): Promise<PreparedRequest>
  close(): void
}

const MEMBERS = {
  usp: { version: VERSION, capabilities: entries(capabilities) },
  ucp: { version: UCP_VERSION, capabilities: entries(capabilities) },
}

export async function openPlatform(count: number): Promise<Platform> {
  const privateKeys = await Promise.all(Array.from({ length: count }, () => generateKey('ES256')))
  const profile = JSON.stringify({ ...MEMBERS, keys: await Promise.all(privateKeys.map(publishedKey)) })
  const headers = { 'content-type': 'application/json', 'cache-control': 'max-age=3600' }
  const server = createServer(loopbackCertificate(), (_, response) => response.writeHead(200, headers).end(profile))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const agent = `profile="https://127.0.0.1:${typeof address === 'object' && address?.port}/profile.json"`
  return {
    keys: await Promise.all(privateKeys.map(openKey)),
    async sign(key, origin, path, input) {
      const body = JSON.stringify(input)
      const named = { 'content-type': 'application/json', 'usp-agent': agent, 'idempotency-key': randomUUID() }
      const request = await signed({ method: 'POST', url: origin + path, headers: named, body }, key)
      return { method: 'POST', path, headers: request.headers, body }
    },
    close: () => void server.close(),
  }
}

function entries(all: object) {
  return Object.fromEntries(Object.entries(all).map(([name, entry]) => [name, [entry]]))
}
