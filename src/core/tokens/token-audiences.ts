import type { Config } from '../../infra/config/read-config.ts'
import { ASSISTANT_PATH, MCP_PATH } from '../../protocol/base-url-paths.ts'
import { publicOrigin } from '../egress/own-public-address.ts'

type Base = Pick<Config, 'baseUrl'>

export const assistantResource = ({ baseUrl }: Base): string => baseUrl + ASSISTANT_PATH

/**
 * Whether an assistant may name this URL as the resource of a token. Allowed are the assistant endpoint and the root of
 * the server, because some clients know only the root. On a development server, the URL can have either host name of
 * the local machine.
 */
export function isAssistantResource(resource: string, config: Config): boolean {
  const url = URL.parse(resource)
  if (url === null) return false
  const origin = publicOrigin(config, url.host)
  return url.href === origin + ASSISTANT_PATH || url.href === `${origin}/`
}

/** The allowed audiences of tokens for platforms: the address of the server, and the address of its MCP endpoint. */
export const protocolResources = ({ baseUrl }: Base): string[] => [baseUrl, baseUrl + MCP_PATH]

/**
 * The accepted signature algorithms of DPoP proofs (RFC 9449). `Ed25519` is a newer name of EdDSA with the curve
 * Ed25519 (RFC 9864).
 */
export const PROOF_ALGORITHMS = ['EdDSA', 'ES256', 'Ed25519']

export const RESOURCE_METADATA = '/.well-known/oauth-protected-resource'

/** Returns the address of the metadata document of an OAuth resource (RFC 9728). `path` is the path of the resource. */
export const metadataOf = (path: string, config: Config, host: string | undefined): string =>
  publicOrigin(config, host) + RESOURCE_METADATA + path
