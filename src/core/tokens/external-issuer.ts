import type { JSONWebKeySet } from 'jose'
import type { Config } from '../../infra/config/read-config.ts'
import { asRecord } from '../../infra/util/object-members.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { type Bounds, readJson as parse } from '../../protocol/parse-json-safely.ts'
import { fetchDocument } from '../egress/call-external-url.ts'
import { keySet } from './issuer-key-set.ts'
import type { Issuer } from './token-issuer.ts'

/**
 * An authorization server of another company that issues access tokens for this server. A client id is unique only
 * within one issuer. Therefore the stored name of a client contains the client id and the issuer.
 */
export function outsideIssuer(name: string, config: Config, clock: () => Date): Issuer {
  const published = keySet(() => readPublished(name, config), clock)
  return {
    name,
    algorithms: ['ES256', 'ES384', 'PS256', 'PS512', 'RS256', 'EdDSA', 'Ed25519'],
    // RFC 9068 requires the type `at+jwt` for access tokens, but many issuers do not set this type. Therefore the
    // server does not check the type. The check of the audience is enough.
    typ: undefined,
    findKey: published.find,
    async subjectOf({ client_id, azp }) {
      const client = client_id ?? azp
      return typeof client === 'string' && client !== '' ? { principal: `client:${client}@${name}` } : undefined
    },
    tokenEndpoint: () => published.lastRead()?.tokenEndpoint,
  }
}

async function readPublished(issuer: string, config: Config) {
  const metadata = await readMetadata(issuer, config)
  const { jwks_uri, token_endpoint } = metadata
  if (metadata.issuer !== issuer || typeof jwks_uri !== 'string') throw unusable()
  const { keys } = await readJson(jwks_uri, config)
  if (!Array.isArray(keys)) throw unusable()
  return {
    keys: { keys } as JSONWebKeySet,
    tokenEndpoint: typeof token_endpoint === 'string' ? token_endpoint : undefined,
  }
}

const bounds: Bounds = { deepest: 32, mostValues: 10_000, longestText: 64 * 1024 }

/**
 * Reads the metadata of an authorization server at the URL of RFC 8414. If this fails, the function tries the URL of
 * OpenID Connect, which more authorization servers support.
 */
async function readMetadata(issuer: string, config: Config) {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, '')
  return readJson(`${origin}/.well-known/oauth-authorization-server${path}`, config).catch(() =>
    readJson(`${origin}${path}/.well-known/openid-configuration`, config),
  )
}

async function readJson(address: string, config: Config): Promise<Record<string, unknown>> {
  try {
    const { status, body } = await fetchDocument(address, config)
    if (status === 200) return asRecord(parse(body, bounds))
  } catch {
    // If the server cannot read the issuer's metadata, the caller always gets the same error. Details of the failure
    // would not help the caller.
  }
  throw unusable()
}

const unusable = () =>
  new ProtocolError('service_unavailable', 'The issuer of the access tokens does not answer correctly.', {
    retryAfter: 60,
  })
