import { isIP } from 'node:net'
import type { Config } from '../../infra/config/read-config.ts'
import { isThisMachine } from '../../infra/net/ip-addresses.ts'
import { parseUrl } from '../../infra/net/parse-url.ts'

type Settings = Pick<Config, 'mode' | 'baseUrl' | 'mcpHosts' | 'mcpOrigins'>

/**
 * Returns the reason to refuse a call, or undefined if the call is safe. In a DNS rebinding attack, a web page makes
 * its own host name resolve to this server. Therefore the server accepts only the host names in BASE_URL, MCP_HOSTS and
 * MCP_ORIGINS. In development, it also accepts the names of this machine. In production, an empty list in MCP_HOSTS or
 * MCP_ORIGINS allows all names.
 */
export function rebindingFault(
  { host = '', origin }: { host: string | undefined; origin: string | undefined },
  settings: Settings,
): string | undefined {
  if (!isOwnHost(host, settings))
    return (
      'This server does not accept tool calls under this host name. Use the address from the profile, or add the ' +
      'host to MCP_HOSTS.'
    )
  if (origin !== undefined && !isOwnOrigin(origin, settings))
    return 'Pages of this origin may not call the tools. Add the origin to MCP_ORIGINS if they should.'
  return undefined
}

/**
 * Whether the host name of a request belongs to this server. In development, an IP address counts too. It is safe,
 * because DNS rebinding needs a host name of the attacker.
 */
function isOwnHost(host: string, { mode, baseUrl, mcpHosts }: Settings): boolean {
  if (mode === 'production' && mcpHosts.length === 0) return true
  // This check comes first because it is fast, and nearly all callers use the host name in BASE_URL.
  if (baseUrl.endsWith(`//${host}`)) return true
  const url = parseUrl(`http://${host}`)
  if (!url) return false
  const { hostname } = url
  if (hostname === new URL(baseUrl).hostname || mcpHosts.includes(hostname)) return true
  return mode === 'development' && (isThisMachine(url) || isIP(hostname.replace(/^\[|\]$/g, '')) > 0)
}

function isOwnOrigin(origin: string, { mode, baseUrl, mcpOrigins }: Settings): boolean {
  if (mode === 'production' && mcpOrigins.length === 0) return true
  const url = parseUrl(origin)
  if (!url) return false
  if (url.origin === new URL(baseUrl).origin || mcpOrigins.includes(url.origin)) return true
  return mode === 'development' && isThisMachine(url)
}
