import { getDomain } from 'tldts'

/**
 * The registrable domain of a host name. Its owner can create subdomains at no cost. Where a company hands out names
 * below its domain, each of these names is a site. An IP address is a site too.
 */
export const siteOf = (host: string): string => getDomain(host, { allowPrivateDomains: true }) ?? host
