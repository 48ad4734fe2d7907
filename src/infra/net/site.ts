import { getDomain } from 'tldts'

/**
 * The part of a host name that somebody had to register: what stands before it costs its owner nothing. Where many have
 * names under one that a company gives out, each of them is a site; an address is one by itself.
 */
export const siteOf = (host: string): string => getDomain(host, { allowPrivateDomains: true }) ?? host
