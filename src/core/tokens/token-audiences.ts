import type { Config } from '../../infra/config/read-config.ts'
import { ASSISTANT_PATH, MCP_PATH } from '../../protocol/base-url-paths.ts'
import { publicOrigin } from '../egress/own-public-address.ts'

type Base = Pick<Config, 'baseUrl'>

export const assistantResource = ({ baseUrl }: Base): string => baseUrl + ASSISTANT_PATH

/**
 * Whether an AI assistant may request a token for this URL. The server allows the endpoint for assistants, and also the
 * root URL of the server, because some assistants know only the root. On a development server, `localhost` and
 * `127.0.0.1` are both allowed.
 */
export function isAssistantResource(resource: string, config: Config): boolean {
  const url = URL.parse(resource)
  if (url === null) return false
  const origin = publicOrigin(config, url.host)
  return url.href === origin + ASSISTANT_PATH || url.href === `${origin}/`
}

/**
 * The allowed audiences (target URLs) in the tokens of platforms: the URL of the server, and the URL of its MCP
 * endpoint.
 */
export const protocolResources = ({ baseUrl }: Base): string[] => [baseUrl, baseUrl + MCP_PATH]

/**
 * The signature algorithms that the server accepts in DPoP proofs (RFC 9449). `Ed25519` is the newer name (RFC 9864) of
 * EdDSA with the curve Ed25519.
 */
export const PROOF_ALGORITHMS = ['EdDSA', 'ES256', 'Ed25519']

export const RESOURCE_METADATA = '/.well-known/oauth-protected-resource'

/**
 * Returns the URL of the OAuth metadata document for a protected resource (RFC 9728). `path` is the path of the
 * resource, such as the MCP endpoint.
 */
export const metadataOf = (path: string, config: Config, host: string | undefined): string =>
  publicOrigin(config, host) + RESOURCE_METADATA + path
