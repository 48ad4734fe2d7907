import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { setImmediate as othersTurn, setTimeout as pass } from 'node:timers/promises'
import type { Config } from '../../infra/config/read-config.ts'
import { isLoopback, isPublicAddress } from '../../infra/net/ip-addresses.ts'
import { parseUrl } from '../../infra/net/parse-url.ts'
import { limitConcurrency } from '../../infra/util/semaphore.ts'
import { botHeaders, botKey } from '../keys/web-bot-auth.ts'
import {
  EgressError,
  type EgressRequest,
  type EgressResponse,
  hostOf,
  noAnswer,
  sendOutside,
  type Target,
} from './send-external-request.ts'

export type { EgressRequest, EgressResponse } from './send-external-request.ts'
export { EgressError } from './send-external-request.ts'

const LOOK_UP_TIMEOUT_MS = 5_000
/**
 * The maximum number of bytes in a URL that a caller sends. The database has an index on these URLs, and PostgreSQL
 * limits the size of an index entry.
 */
const MAX_ADDRESS_BYTES = 2_000
/**
 * An answer of another host counts as large if it has more than this number of bytes. Parsing a large answer takes
 * noticeable time.
 */
const LARGE_BODY_BYTES = 8 * 1024

const oneAtATime = limitConcurrency(1)

/**
 * Calls a URL that a caller chose. The URL must use https and lead to the public internet, and the server follows no
 * redirects. The server checks the IP addresses of the host, and connects only to these IP addresses, because a second
 * DNS lookup could return others.
 */
export async function callOutside(address: string, request: EgressRequest, config: Config): Promise<EgressResponse> {
  const signal = AbortSignal.timeout(request.timeout)
  const target = await targetOf(allowedUrl(address, config), config, signal)
  const response = await sendOutside(target, signedAsBot(request, target.url, config), signal)
  // Processing a large answer blocks the event loop for a moment. Therefore only one large answer continues in each
  // turn of the loop, and other requests can run in between.
  if (response.body.length > LARGE_BODY_BYTES) await oneAtATime(othersTurn)
  return response
}

export const fetchDocument = (address: string, config: Config): Promise<EgressResponse> =>
  callOutside(address, { timeout: 5_000, mostBytes: 256 * 1024, headers: { accept: 'application/json' } }, config)

/**
 * Finds the IP addresses of the host in a URL that a caller chose. Refuses the URL if one of these IP addresses is not
 * allowed.
 */
export const checkedTarget = (address: string, config: Config): Promise<Target> =>
  targetOf(checkedUrl(address, config), config, AbortSignal.timeout(LOOK_UP_TIMEOUT_MS))

const targetOf = async (url: URL, config: Config, signal: AbortSignal): Promise<Target> => ({
  url,
  addresses: await checkedAddresses(hostOf(url), config, signal),
})

/** Parses a URL that a caller chose, and checks its form. The function makes no DNS lookup. */
export function checkedUrl(address: string, config: Config): URL {
  const url = allowedUrl(address, config)
  if (Buffer.byteLength(address) > MAX_ADDRESS_BYTES || url.href.length > MAX_ADDRESS_BYTES)
    throw new EgressError('forbidden', `is longer than ${MAX_ADDRESS_BYTES} bytes`)
  return url
}

function allowedUrl(address: string, config: Config): URL {
  const url = parseUrl(address)
  if (!url) throw new EgressError('forbidden', 'is not a URL')
  if (url.username || url.password) throw new EgressError('forbidden', 'may not contain a user name or password')
  if (url.protocol !== 'https:') throw new EgressError('forbidden', 'must be an https URL')
  const host = hostOf(url)
  if (isIP(host) && !isAllowed(host, config))
    throw new EgressError('forbidden', 'leads to an address that is not on the public internet')
  return url
}

const isAllowed = (address: string, { mode, host }: Config) =>
  isPublicAddress(address) || (mode === 'development' && isLocalName(host) && isLoopback(address))

const isLocalName = (host: string) => host === 'localhost' || (isIP(host) > 0 && isLoopback(host))

/**
 * Finds the IP addresses of a host name. Refuses the host if one of its addresses is not public. Returns at most one
 * IPv4 address and one IPv6 address, because this machine may support only one of the two protocols.
 */
async function checkedAddresses(host: string, config: Config, signal: AbortSignal) {
  const found = isIP(host) ? [host] : await lookUp(host, config.nameservers, signal)
  if (signal.aborted) throw noAnswer()
  if (found.length === 0) throw new EgressError('unreachable', 'has a host name that cannot be resolved')
  if (!found.every((address) => isAllowed(address, config)))
    throw new EgressError('forbidden', 'leads to an address that is not on the public internet')
  return [4, 6].flatMap((family) => found.find((address) => isIP(address) === family) ?? [])
}

/**
 * How long to wait for the answer of a nameserver, in milliseconds. For the second attempt, the DNS library (c-ares)
 * doubles this time.
 */
const resolverOptions = { timeout: 1_500, tries: 2 }
/**
 * Milliseconds that the server waits for IPv6 addresses after it has found IPv4 addresses, or for IPv4 after IPv6. The
 * time is short, because some nameservers never answer one of these two lookups.
 */
const SECOND_FAMILY_WAIT_MS = 300

/**
 * Finds the IP addresses of a host name that a caller chose. The function does not use the lookup of the operating
 * system. That lookup blocks one of a few threads, so a silent nameserver could block all these threads.
 */
async function lookUp(host: string, nameservers: readonly string[], signal: AbortSignal): Promise<string[]> {
  if (isLocalhost(host)) return ['127.0.0.1', '::1']
  const resolver = new Resolver(resolverOptions)
  if (nameservers.length > 0) resolver.setServers(nameservers)
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  const found: string[] = []
  const lookups = [resolver.resolve4(host), resolver.resolve6(host)].map(async (answer) => {
    found.push(...(await answer))
  })
  const both = Promise.allSettled(lookups)
  await Promise.any(lookups).then(
    () => Promise.race([both, pass(SECOND_FAMILY_WAIT_MS)]),
    () => {},
  )
  signal.removeEventListener('abort', cancel)
  cancel()
  return found
}

/**
 * Whether the host name always means the local machine (RFC 6761), such as `localhost`. For such a name, the server
 * makes no DNS lookup.
 */
const isLocalhost = (host: string) => /(^|\.)localhost\.?$/i.test(host)

/**
 * The name and key that this server uses to sign its requests as a bot (Web Bot Auth). Undefined without https or a
 * secret key, because other hosts could then not fetch the public key.
 */
export const botOf = ({ secretKey, baseUrl }: Config) =>
  secretKey !== undefined && baseUrl.startsWith('https:') ? { origin: baseUrl, key: botKey(secretKey) } : undefined

/**
 * Signs an outgoing request as a web bot, if this server has a bot key. A request that already has a signature gets no
 * second signature, because some receivers cannot verify two signatures.
 */
function signedAsBot(request: EgressRequest, url: URL, config: Config): EgressRequest {
  const { method = 'GET', headers = {} } = request
  const bot = headers.signature === undefined ? botOf(config) : undefined
  if (!bot) return request
  return { ...request, headers: { ...headers, ...botHeaders(method, url, { ...bot, now: new Date() }) } }
}
