import { type InnerList, serializeInnerList } from 'structured-headers'
import type { SigningKey } from '../../../src/protocol/types.generated.ts'
import type { Candidate } from './choose-signatures.ts'
import type { SignedMessage } from './read-webhook-request.ts'
import { WebhookError } from './webhook-error.ts'

/**
 * The maximum age of a signature. The business signs each attempt to send an event again. Therefore an older signature
 * is from a copied request.
 */
const MOST_AGE_SECONDS = 300
/** The clock of the business may be fast by at most this time. */
const MOST_AHEAD_SECONDS = 60

const REQUIRED = ['@method', '@authority', '@path', 'content-digest', 'content-type']

const algorithms = {
  'P-256': {
    names: ['ES256'],
    wireName: 'ecdsa-p256-sha256',
    key: { name: 'ECDSA', namedCurve: 'P-256' },
    verify: { name: 'ECDSA', hash: 'SHA-256' },
  },
  Ed25519: {
    names: ['EdDSA', 'Ed25519'],
    wireName: 'ed25519',
    key: { name: 'Ed25519' },
    verify: { name: 'Ed25519' },
  },
}

/** Verifies one signature of a request (RFC 9421). Throws an error if the signature is not valid at this time. */
export async function verifySignature({ input, signature, key }: Candidate, message: SignedMessage, now: Date) {
  checkTime(input, now)
  const names = coveredNames(input)
  for (const name of message.url.search === '' ? REQUIRED : [...REQUIRED, '@query'])
    if (!names.includes(name)) throw new WebhookError('component_missing', `The signature does not cover ${name}.`)
  const algorithm = algorithmOf(key)
  const alg = input[1].get('alg')
  if (alg !== undefined && alg !== algorithm.wireName)
    throw new WebhookError('signature_invalid', `The signature names another algorithm than the key ${key.kid} has.`)
  const base = [
    ...names.map((name) => `"${name}": ${componentOf(name, message)}`),
    `"@signature-params": ${serializeInnerList(input)}`,
  ].join('\n')
  const publicKey = await importKey(key, algorithm.key)
  if (!(await crypto.subtle.verify(algorithm.verify, publicKey, signature, new TextEncoder().encode(base))))
    throw new WebhookError('signature_invalid', 'The signature belongs to another request or to another key.')
}

function checkTime([, parameters]: InnerList, now: Date): void {
  const [created, expires] = [parameters.get('created'), parameters.get('expires')]
  if (!isSeconds(created)) throw new WebhookError('malformed', 'The signature has no time of creation.')
  if (expires !== undefined && !isSeconds(expires))
    throw new WebhookError('malformed', 'The time at which the signature expires is not in seconds.')
  const seconds = now.getTime() / 1000
  if (created > seconds + MOST_AHEAD_SECONDS)
    throw new WebhookError('expired', 'The signature was created in the future.')
  if (created < seconds - MOST_AGE_SECONDS)
    throw new WebhookError('expired', `The signature is older than ${MOST_AGE_SECONDS} seconds.`)
  if (expires !== undefined && expires <= seconds) throw new WebhookError('expired', 'The signature has expired.')
}

const isSeconds = (value: unknown): value is number => Number.isInteger(value)

/** Returns the names of the covered components. Refuses components with parameters, because no business needs them. */
function coveredNames([items]: InnerList): string[] {
  const names = items.map(([name, parameters]) => {
    if (typeof name !== 'string' || parameters.size > 0 || name !== name.toLowerCase())
      throw new WebhookError('malformed', 'The signature covers a component that the client does not know.')
    return name
  })
  if (new Set(names).size !== names.length)
    throw new WebhookError('malformed', 'The signature covers a component twice.')
  return names
}

function componentOf(name: string, { method, url, headers }: SignedMessage): string {
  switch (name) {
    case '@method':
      return method
    case '@authority':
      return url.host
    case '@path':
      return url.pathname
    case '@query':
      return url.search || '?'
    case '@target-uri':
      return url.href
    case '@scheme':
      return url.protocol.slice(0, -1)
  }
  const value = headers.get(name)
  if (value === undefined)
    throw new WebhookError('signature_invalid', `The request has no ${name}, which the signature covers.`)
  return value
}

/** The key determines the algorithm. An algorithm that a sender may choose would weaken the signature. */
function algorithmOf({ kid, crv, alg, use }: SigningKey) {
  const algorithm = crv === 'P-256' || crv === 'Ed25519' ? algorithms[crv] : undefined
  if (!algorithm || (alg !== undefined && !algorithm.names.includes(alg)) || use === 'enc')
    throw new WebhookError('unknown_key', `The key ${kid} is not a signing key of the kind P-256 or Ed25519.`)
  return algorithm
}

async function importKey(
  { kid, kty, crv = '', x = '', y }: SigningKey,
  algorithm: { name: string; namedCurve?: string },
) {
  try {
    const jwk = { kty, crv, x, ...(y !== undefined && { y }) }
    return await crypto.subtle.importKey('jwk', jwk, algorithm, false, ['verify'])
  } catch {
    throw new WebhookError('unknown_key', `The key ${kid} in the profile of the business is not valid.`)
  }
}
