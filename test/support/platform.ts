import { generateKeyPairSync, hash, type KeyObject, randomUUID, sign } from 'node:crypto'
import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import canonicalize from 'canonicalize'
import { afterAll } from 'vitest'
import { loopbackCertificate } from '../../src/core/egress/development/loopback-certificate.ts'
import { capabilities, VERSION } from '../../src/protocol/capabilities.ts'

/** A platform that publishes its profile over https on loopback and counts the requests. */
export interface Platform {
  url: string
  profile: Record<string, unknown>
  fetched: number
  /** Replaces the answer, to fail or to stall. */
  answer: RequestListener | undefined
  maxAge: number
}

export async function testPlatform(profile: Record<string, unknown> = {}): Promise<Platform> {
  const server = createServer(loopbackCertificate(), (request, response) => {
    platform.fetched++
    if (platform.answer) return platform.answer(request, response)
    response.writeHead(200, {
      'content-type': 'application/json',
      'cache-control': `public, max-age=${platform.maxAge}`,
    })
    response.end(JSON.stringify(platform.profile))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const platform: Platform = {
    url: `https://127.0.0.1:${port}/profile.json`,
    profile: { ...platformProfile(), ...profile },
    fetched: 0,
    answer: undefined,
    maxAge: 60,
  }
  return platform
}

/** The profile, without keys, of a platform with all capabilities of this server. */
export const platformProfile = () => ({
  usp: {
    version: VERSION,
    capabilities: Object.fromEntries(Object.entries(capabilities).map(([name, entry]) => [name, [entry]])),
  },
})

export interface TestKey {
  private: KeyObject
  jwk: Record<string, string>
  /** RFC 7638, computed independently of the server's code. */
  thumbprint: string
}

export function testKey(kind: 'ES256' | 'EdDSA' = 'EdDSA'): TestKey {
  const pair = kind === 'ES256' ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : generateKeyPairSync('ed25519')
  const jwk = pair.publicKey.export({ format: 'jwk' }) as Record<string, string>
  return { private: pair.privateKey, jwk, thumbprint: hash('sha256', canonicalize(jwk) ?? '', 'base64url') }
}

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A JWS with exactly this header and these claims, valid or not. */
export function jws(header: object, claims: object, key: TestKey): string {
  const signed = `${part(header)}.${part(claims)}`
  const isEc = key.jwk.kty === 'EC'
  const signature = sign(
    isEc ? 'sha256' : null,
    Buffer.from(signed),
    isEc ? { key: key.private, dsaEncoding: 'ieee-p1363' } : key.private,
  )
  return `${signed}.${signature.toString('base64url')}`
}

const algorithm = (key: TestKey) => (key.jwk.kty === 'EC' ? 'ES256' : 'EdDSA')

export const restProof = (key: TestKey, method: string, url: string, now: Date, claims: object = {}) =>
  jws(
    { typ: 'dpop+jwt', alg: algorithm(key), jwk: key.jwk },
    { htm: method, htu: url, iat: Math.floor(now.getTime() / 1000), jti: randomUUID(), ...claims },
    key,
  )

/** A proof for a tool call over its arguments, including `_meta` without the authorization. */
export function toolProof(key: TestKey, tool: string, args: Record<string, unknown>, now: Date, claims: object = {}) {
  const digest = hash('sha256', canonicalize(args) ?? '', 'base64url')
  const own = { usp_m: tool, aud: 'http://127.0.0.1:8080/.well-known/usp', usp_p: digest }
  return jws(
    { typ: 'usp-pop+jwt', alg: algorithm(key), jwk: key.jwk },
    { ...own, iat: Math.floor(now.getTime() / 1000), jti: randomUUID(), ...claims },
    key,
  )
}
