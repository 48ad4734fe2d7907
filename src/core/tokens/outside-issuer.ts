import type { JSONWebKeySet } from 'jose'
import type { Config } from '../../infra/config/config.ts'
import { recordOf } from '../../infra/util/record-of.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { type Bounds, readJson as parse } from '../../protocol/json.ts'
import { fetchDocument } from '../egress/egress.ts'
import type { Issuer } from './issuer.ts'
import { keySet } from './key-set.ts'

/**
 * An authorization server that the business trusts. A client id means something to its issuer alone, so the principal
 * names both: whoever bears the same id at this server, or at the next issuer, inherits nothing.
 */
export function outsideIssuer(name: string, config: Config, clock: () => Date): Issuer {
  const published = keySet(() => readPublished(name, config), clock)
  return {
    name,
    algorithms: ['ES256', 'ES384', 'PS256', 'PS512', 'RS256', 'EdDSA', 'Ed25519'],
    // RFC 9068 wants at+jwt and many issuers do not send it. That the token is meant for this server is what counts.
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

/** At the place RFC 8414 gives it, else at that of OpenID Connect, which more servers have. */
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
    if (status === 200) return recordOf(parse(body, bounds))
  } catch {
    // Told below: why it failed is of no use to the caller.
  }
  throw unusable()
}

const unusable = () =>
  new ProtocolError('service_unavailable', 'The issuer of the access tokens does not answer as it should.', {
    retryAfter: 60,
  })
