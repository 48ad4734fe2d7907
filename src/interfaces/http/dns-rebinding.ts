import { isIP } from 'node:net'
import type { Config } from '../../infra/config/config.ts'
import { isThisMachine } from '../../infra/net/addresses.ts'
import { parseUrl } from '../../infra/net/parse-url.ts'

type Settings = Pick<Config, 'mode' | 'baseUrl' | 'mcpHosts' | 'mcpOrigins'>

/**
 * Why this call may come from a web page whose host name resolves to this server (DNS rebinding); undefined when it is
 * safe. In development only this machine's names pass. In production the business configures the host names and origins.
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

/** An IP address as the host is safe: an attacker cannot make another host name look like one. */
function isOwnHost(host: string, { mode, baseUrl, mcpHosts }: Settings): boolean {
  if (mode === 'production' && mcpHosts.length === 0) return true
  // Fast path: nearly all callers use the host name of the profile.
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
