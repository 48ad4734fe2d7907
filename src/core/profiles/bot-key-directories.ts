import { asRecord } from '../../infra/util/object-members.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { callOutside, type EgressResponse } from '../egress/call-external-url.ts'
import { type PublicJwk, thumbprintOf, type VerificationKey, verificationKey } from '../keys/public-keys.ts'
import { DIRECTORY_PATH, DIRECTORY_TYPE } from '../keys/web-bot-auth.ts'
import { type FetchDependencies, fetchedDocuments } from './fetched-document-cache.ts'
import { profileDocument, profileFailure } from './profile-document.ts'

/**
 * The public keys of web bots (programs that sign their requests). Each bot publishes its keys in a document at its
 * origin, the key directory.
 */
export interface KeyDirectories {
  /**
   * Returns the public key of a web bot by its thumbprint (digest). If the key is unknown, the server fetches the bot's
   * key directory in the background. This fetch counts against the limit of the caller's IP address range.
   */
  key(origin: string, thumbprint: string, address: string): VerificationKey | undefined
}

const WHOSE = 'The key directory'
/**
 * The maximum number of keys that the server reads from the key directory of one bot. A bot that rotates its keys
 * publishes far fewer keys.
 */
const MAX_KEYS = 20
const REQUEST = { timeout: 5_000, mostBytes: 64 * 1024, headers: { accept: DIRECTORY_TYPE } }

export function keyDirectories({
  config,
  ...dependencies
}: Dependencies<'config'> & FetchDependencies): KeyDirectories {
  const { cached } = fetchedDocuments<ReadonlyMap<string, PublicJwk>>(
    {
      refuse: () => {},
      fetch: (url) => callOutside(url, REQUEST, config),
      read: readKeys,
      failureOf: (cause) => profileFailure(cause, WHOSE),
      sizeOf: (keys) => JSON.stringify([...keys]).length,
    },
    dependencies,
  )
  return {
    key(origin, thumbprint, address) {
      const jwk = cached(origin + DIRECTORY_PATH, { address }, (keys) => keys.has(thumbprint))?.get(thumbprint)
      return jwk && verificationKey(jwk)
    },
  }
}

export const readKeys = (response: EgressResponse): ReadonlyMap<string, PublicJwk> =>
  keysIn(profileDocument(response, WHOSE))

/**
 * Reads the keys in a bot's key directory, and computes their thumbprints. The function ignores the key ids (`kid`) in
 * the document, because the document could contain the key id of another origin.
 */
function keysIn(document: unknown): Map<string, PublicJwk> {
  const { keys } = asRecord(document)
  const listedKeys = Array.isArray(keys) ? keys.slice(0, MAX_KEYS).map(asRecord) : []
  return new Map(
    listedKeys
      .filter(({ use }) => use !== 'enc')
      .map(keyOf)
      .map((jwk) => [thumbprintOf(jwk), jwk]),
  )
}

function keyOf({ kty, crv, x, y, n, e, alg }: Readonly<Record<string, unknown>>): PublicJwk {
  const texts = Object.entries({ crv, x, y, n, e, alg }).filter(([, value]) => typeof value === 'string')
  return { kty: String(kty), ...Object.fromEntries(texts) }
}
