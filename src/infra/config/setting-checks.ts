import { Resolver } from 'node:dns'
import { areProxyRanges } from '../net/ip-addresses.ts'
import { isDatabaseUrl } from '../net/parse-database-url.ts'
import { isProviderStandIn } from './calendar-providers.ts'
import { isMailServer, isSender } from './mail-server.ts'
import { isMetricsAddress } from './metrics-address.ts'
import { isStripeOrStandIn } from './stripe-account.ts'

export const splitList = (value: unknown) =>
  value === undefined
    ? []
    : String(value)
        .split(',')
        .map((one) => one.trim())

const settingChecks = {
  BASE_URL: isOrigin,
  DATABASE_URL: isDatabaseUrl,
  DATABASE_DIRECT_URL: isDatabaseUrl,
  DATABASE_READ_URL: isDatabaseUrl,
  USP_NAMESERVERS: areNameservers,
  MCP_HOSTS: areHosts,
  MCP_ORIGINS: areOrigins,
  TRUST_PROXY: (list: string) => areProxyRanges(splitList(list)),
  STRIPE_API_BASE: isStripeOrStandIn,
  GOOGLE_API_BASE: isProviderStandIn,
  MICROSOFT_API_BASE: isProviderStandIn,
  SMTP_URL: isMailServer,
  MAIL_FROM: isSender,
  METRICS_ADDRESS: isMetricsAddress,
}

/**
 * Returns the names of all settings with an invalid value. This function checks only the rules that a regular
 * expression cannot express.
 */
export const invalidSettings = (settings: Record<string, unknown>): string[] =>
  Object.entries(settingChecks)
    .filter(([name, isReadable]) => settings[name] !== undefined && !isReadable(String(settings[name])))
    .map(([name]) => name)

function areNameservers(list: string) {
  try {
    new Resolver().setServers(splitList(list))
    return true
  } catch {
    return false
  }
}

/**
 * Whether all host names have the normalized form that browsers send. Other code can then compare host names as text.
 */
function areHosts(list: string) {
  return splitList(list).every((host) => URL.canParse(`http://${host}`) && new URL(`http://${host}`).hostname === host)
}

function areOrigins(list: string) {
  return splitList(list).every((origin) => URL.canParse(origin) && new URL(origin).origin === origin)
}

function isOrigin(address: string) {
  return /^https?:\/\/[^/?#\\@\s]+$/i.test(address) && URL.canParse(address)
}
