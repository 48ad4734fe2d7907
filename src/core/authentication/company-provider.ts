import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose'
import type { Config } from '../../infra/config/read-config.ts'
import { parseUrl } from '../../infra/net/parse-url.ts'
import { asRecord } from '../../infra/util/object-members.ts'
import { Semaphore } from '../../infra/util/semaphore.ts'
import { isEqualInConstantTime } from '../../protocol/keyed-digest.ts'
import { type Bounds, isStorable, readJson, UnreadableDocumentError } from '../../protocol/parse-json-safely.ts'
import { callOutside, EgressError, type EgressRequest } from '../egress/call-external-url.ts'
import { isUnusableKeyError } from '../tokens/access-tokens.ts'
import { authorizationRequestUrl } from './authorization-request.ts'

/** The reason why a sign-in at the provider of the company failed. */
export type ProviderFault = 'unreachable' | 'metadata' | 'client' | 'token'

export class ProviderError extends Error {
  override name = 'ProviderError'
  readonly fault: ProviderFault

  constructor(fault: ProviderFault, message: string) {
    super(message)
    this.fault = fault
  }
}

/** What the provider publishes about itself. */
export interface ProviderMetadata {
  issuer: string
  authorizationEndpoint: string
  tokenEndpoint: string
  keysUrl: string
  /** Whether the token endpoint takes the client secret in the body of the request. */
  takesSecretInBody: boolean
  /** Whether the provider names itself in each authorization response (RFC 9207). */
  namesIssuer: boolean
}

type FetchJson = (
  url: string,
  request?: Pick<EgressRequest, 'method' | 'headers' | 'body'>,
) => Promise<{ status: number; document: Readonly<Record<string, unknown>> }>

/** The time limit of one call to the provider, and of all calls of one step of the sign-in together. */
const LIMITS_MS = { call: 5_000, step: 10_000 }
const MAX_BYTES = 256 * 1024
const BOUNDS: Bounds = { deepest: 32, mostValues: 10_000, longestText: 64 * 1024 }

/** The maximum number of sign-ins that wait for the provider at the same time. A slow provider must not occupy more. */
const MAX_WAITING = 20
const places = new Semaphore(MAX_WAITING)

/** Runs one step of a sign-in. The function `work` gets a function that calls the provider within limits. */
export async function withProvider<T>(config: Config, work: (fetchJson: FetchJson) => Promise<T>): Promise<T> {
  if (!(await places.acquire(1))) throw new ProviderError('unreachable', 'Too many sign-ins wait for the provider.')
  const until = performance.now() + LIMITS_MS.step
  try {
    return await work(async (url, request) => {
      const timeout = Math.min(LIMITS_MS.call, Math.ceil(until - performance.now()))
      if (timeout <= 0) throw new ProviderError('unreachable', 'The provider did not answer in time.')
      const headers = { accept: 'application/json', ...request?.headers }
      try {
        const { status, body } = await callOutside(url, { ...request, headers, timeout, mostBytes: MAX_BYTES }, config)
        if (status >= 500) throw new ProviderError('unreachable', `The provider answered ${status}.`)
        return { status, document: asRecord(readJson(body, BOUNDS)) }
      } catch (error) {
        if (error instanceof EgressError) throw new ProviderError('unreachable', `The provider ${error.message}.`)
        if (error instanceof UnreadableDocumentError)
          throw new ProviderError('metadata', `The answer of the provider ${error.message}.`)
        throw error
      }
    })
  } finally {
    places.release()
  }
}

/**
 * Reads what the provider publishes about itself (OpenID Connect Discovery). The published issuer must be the given one.
 * Otherwise, a provider with many tenants could let the accounts of other companies in.
 */
export async function readProvider(issuer: string, fetchJson: FetchJson): Promise<ProviderMetadata> {
  const { status, document } = await fetchJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
  const [authorizationEndpoint, tokenEndpoint, keysUrl] = [
    httpsUrl(document.authorization_endpoint),
    httpsUrl(document.token_endpoint),
    httpsUrl(document.jwks_uri),
  ]
  if (status !== 200 || document.issuer !== issuer || !authorizationEndpoint || !tokenEndpoint || !keysUrl)
    throw new ProviderError('metadata', 'No OpenID Connect provider with this issuer URL was found.')
  const methods = document.token_endpoint_auth_methods_supported
  return {
    issuer,
    authorizationEndpoint,
    tokenEndpoint,
    keysUrl,
    takesSecretInBody: Array.isArray(methods) && methods.includes('client_secret_post'),
    namesIssuer: document.authorization_response_iss_parameter_supported === true,
  }
}

export async function readProviderKeys({ keysUrl }: ProviderMetadata, fetchJson: FetchJson): Promise<JSONWebKeySet> {
  const { status, document } = await fetchJson(keysUrl)
  const { keys } = document
  if (status !== 200 || !Array.isArray(keys) || keys.length === 0)
    throw new ProviderError('metadata', 'The provider publishes no keys.')
  return { keys } as JSONWebKeySet
}

function httpsUrl(text: unknown): string | undefined {
  const url = typeof text === 'string' ? parseUrl(text) : undefined
  return url?.protocol === 'https:' && url.username === '' && url.password === '' ? url.href : undefined
}

/** The values of one sign-in that the provider must repeat or prove. */
export interface SignInSecrets {
  state: string
  nonce: string
  /** The secret of PKCE (RFC 7636). Only this server knows it until it exchanges the code. */
  verifier: string
}

export interface ProviderClient {
  clientId: string
  clientSecret: string
  redirectUri: string
}

/** Returns the URL at the provider to which the browser goes. */
export function authorizationUrl(
  { authorizationEndpoint }: ProviderMetadata,
  { clientId, redirectUri }: Omit<ProviderClient, 'clientSecret'>,
  { state, nonce, verifier }: SignInSecrets,
): string {
  const request = { clientId, redirectUri, scope: 'openid email profile', state, verifier, more: { nonce } }
  return authorizationRequestUrl(authorizationEndpoint, request)
}

export type IdClaims = JWTPayload & { sub: string }

/** Exchanges the code of an authorization response for an ID token, and returns its verified claims. */
export async function claimsForCode(
  code: string,
  provider: ProviderMetadata,
  { client, secrets, now }: { client: ProviderClient; secrets: SignInSecrets; now: Date },
  fetchJson: FetchJson,
): Promise<IdClaims> {
  const idToken = await exchangeCode(code, provider, { client, verifier: secrets.verifier }, fetchJson)
  const keys = await readProviderKeys(provider, fetchJson)
  return verifyIdToken(idToken, keys, { issuer: provider.issuer, clientId: client.clientId, nonce: secrets.nonce, now })
}

async function exchangeCode(
  code: string,
  { tokenEndpoint, takesSecretInBody }: ProviderMetadata,
  { client, verifier }: { client: ProviderClient; verifier: string },
  fetchJson: FetchJson,
): Promise<string> {
  const { clientId, clientSecret, redirectUri } = client
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
    ...(takesSecretInBody && { client_id: clientId, client_secret: clientSecret }),
  })
  const { status, document } = await fetchJson(tokenEndpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(!takesSecretInBody && { authorization: basic(clientId, clientSecret) }),
    },
    body: Buffer.from(form.toString()),
  })
  if (status === 200 && typeof document.id_token === 'string') return document.id_token
  const isClientRefused = document.error === 'invalid_client' || document.error === 'unauthorized_client'
  throw new ProviderError(isClientRefused ? 'client' : 'token', 'The provider gave no ID token.')
}

/** The header of HTTP Basic authentication. RFC 6749 requires that both parts are encoded like a form. */
function basic(clientId: string, clientSecret: string): string {
  const encoded = (text: string) => new URLSearchParams({ '': text }).toString().slice(1)
  return `Basic ${Buffer.from(`${encoded(clientId)}:${encoded(clientSecret)}`).toString('base64')}`
}

/**
 * The algorithms of ID tokens that the server accepts. All of them use a public key. With a symmetric algorithm, everybody
 * who knows the client secret could sign.
 */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
/** How many seconds the clock of the provider may differ from the clock of this server. */
const CLOCK_TOLERANCE_SECONDS = 60
/** The maximum length of a subject in OpenID Connect. */
const MAX_SUBJECT_CHARACTERS = 255

/** Verifies an ID token (OpenID Connect Core 1.0, section 3.1.3.7), and returns its claims. */
export async function verifyIdToken(
  idToken: string,
  keys: JSONWebKeySet,
  { issuer, clientId, nonce, now }: { issuer: string; clientId: string; nonce: string; now: Date },
): Promise<IdClaims> {
  const claims = await verifiedClaims(idToken, keys, { issuer, clientId, now })
  const { sub, azp, aud } = claims
  const isForUs = azp === undefined ? !Array.isArray(aud) || aud.length === 1 : azp === clientId
  const hasNonce = typeof claims.nonce === 'string' && isEqualInConstantTime(claims.nonce, nonce)
  const hasSubject = typeof sub === 'string' && sub !== '' && sub.length <= MAX_SUBJECT_CHARACTERS && isStorable(sub)
  if (!isForUs || !hasNonce || !hasSubject) throw unusableToken()
  return { ...claims, sub }
}

async function verifiedClaims(
  idToken: string,
  keys: JSONWebKeySet,
  { issuer, clientId, now }: { issuer: string; clientId: string; now: Date },
): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(idToken, createLocalJWKSet(keys), {
      issuer,
      audience: clientId,
      algorithms: ALGORITHMS,
      requiredClaims: ['sub', 'iat', 'exp', 'nonce'],
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: now,
    })
    return payload
  } catch (error) {
    if (error instanceof errors.JOSEError || isUnusableKeyError(error)) throw unusableToken()
    throw error
  }
}

const unusableToken = () => new ProviderError('token', 'The ID token of the provider is not valid.')
