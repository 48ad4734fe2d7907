import { hash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll } from 'vitest'
import { loopbackCertificate } from '../../src/core/egress/development/loopback-certificate.ts'

export const CLIENT = { client_id: 'desk', client_secret: 'the secret: of+the client' }

type Claims = Record<string, unknown>

/** What the provider does wrong, or otherwise than usual. */
export interface Behavior {
  /** Claims beside or instead of the right ones; undefined leaves one out. */
  claims?: Claims
  metadata?: Claims
  alg?: 'none' | 'HS256' | 'foreign key'
  /** How this path is answered instead. */
  broken?: { path: string; with: 'nothing' | 'drip' | '10 MB' | 'not JSON' | 'deep JSON' | number }
}

/** A provider with real keys that gives a code to whoever asks, and can misbehave. It checks what a provider checks. */
export async function providerStandIn(path = '') {
  let key = await newKey()
  let foreign = await newKey()
  const codes = new Map<string, { claims: Claims; query: URLSearchParams }>()
  const provider = {
    issuer: '',
    behavior: {} as Behavior,
    calls: [] as string[],
    /** Why the last code was refused. */
    refusal: undefined as string | undefined,
    /** From now on, tokens are signed with another key, and only this one is published. */
    async rotateKey() {
      key = await newKey()
      foreign = await newKey()
    },
    /** As the browser of a person comes back, who signs in there: the path and query at the desk. */
    comeBack(authorizationUrl: string, claims: Claims, more: Record<string, string> = {}): string {
      const query = new URL(authorizationUrl).searchParams
      const code = randomUUID()
      codes.set(code, { claims, query })
      const { pathname } = new URL(query.get('redirect_uri') ?? '')
      return `${pathname}?${new URLSearchParams({ code, state: query.get('state') ?? '', iss: provider.issuer, ...more })}`
    },
  }
  const idTokenFor = async ({ claims, query }: { claims: Claims; query: URLSearchParams }): Promise<string> => {
    const now = Math.floor(Date.now() / 1000)
    const all = {
      ...{ iss: provider.issuer, aud: CLIENT.client_id, iat: now, exp: now + 300, nonce: query.get('nonce') },
      ...claims,
      ...provider.behavior.claims,
    }
    const { alg } = provider.behavior
    if (alg === 'none') return new UnsecuredJWT(all).encode()
    const secret = Buffer.from(CLIENT.client_secret.padEnd(32, 'x'))
    if (alg === 'HS256') return new SignJWT(all).setProtectedHeader({ alg }).sign(secret)
    const { kid } = key.jwk
    const signer = alg === 'foreign key' ? foreign : key
    return new SignJWT(all)
      .setProtectedHeader({ alg: 'RS256', ...(kid !== undefined && { kid }) })
      .sign(signer.privateKey)
  }
  const exchange = async (form: URLSearchParams, authorization = '') => {
    const [id, secret] = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString().split(':')
    const decoded = (part = '') => new URLSearchParams(`x=${part}`).get('x')
    const given = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const challenge = hash('sha256', form.get('code_verifier') ?? '', 'base64url')
    const isClient =
      (decoded(id) === CLIENT.client_id && decoded(secret) === CLIENT.client_secret) ||
      (form.get('client_id') === CLIENT.client_id && form.get('client_secret') === CLIENT.client_secret)
    if (!isClient) return { error: 'invalid_client' }
    if (given?.query.get('code_challenge') !== challenge) return { error: 'invalid_grant' }
    if (given.query.get('redirect_uri') !== form.get('redirect_uri')) return { error: 'invalid_grant' }
    return { access_token: 'x', token_type: 'Bearer', id_token: await idTokenFor(given) }
  }
  const server = createServer(loopbackCertificate(), async (request, response) => {
    const body = await text(request).catch(() => '')
    const { pathname } = new URL(request.url ?? '', 'https://x')
    provider.calls.push(pathname)
    const json = (status: number, content: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(content))
    const { broken } = provider.behavior
    if (broken && pathname === path + broken.path) return breakDown(broken.with, response)
    if (pathname === `${path}/.well-known/openid-configuration`)
      return json(200, {
        issuer: provider.issuer,
        authorization_endpoint: `${provider.issuer}/authorize`,
        token_endpoint: `${provider.issuer}/token`,
        jwks_uri: `${provider.issuer}/keys`,
        authorization_response_iss_parameter_supported: true,
        ...provider.behavior.metadata,
      })
    if (pathname === `${path}/keys`) return json(200, { keys: [key.jwk] })
    if (pathname !== `${path}/token`) return json(404, {})
    const answer = await exchange(new URLSearchParams(body), request.headers.authorization)
    provider.refusal = 'error' in answer ? answer.error : undefined
    json('error' in answer ? 400 : 200, answer)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  provider.issuer = `https://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
  return provider
}

export type ProviderStandIn = Awaited<ReturnType<typeof providerStandIn>>

async function newKey(): Promise<{ privateKey: CryptoKey; jwk: JWK }> {
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid: randomUUID(), alg: 'RS256', use: 'sig' } }
}

async function breakDown(how: NonNullable<Behavior['broken']>['with'], response: ServerResponse) {
  if (how === 'nothing') return
  if (typeof how === 'number') return response.writeHead(how).end('{}')
  response.writeHead(200, { 'content-type': 'application/json' })
  if (how === '10 MB') return response.end(JSON.stringify({ text: 'x'.repeat(10_000_000) }))
  if (how === 'not JSON') return response.end('<html>')
  if (how === 'deep JSON') return response.end(`{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`)
  for (let sent = 0; sent < 300 && !response.destroyed; sent++) {
    response.write(' ')
    await sleep(100)
  }
}
