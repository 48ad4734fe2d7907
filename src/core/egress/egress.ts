import { isIP } from 'node:net'
import { setImmediate as othersTurn } from 'node:timers/promises'
import type { Config } from '../../infra/config/config.ts'
import { isLoopback, isPublicAddress } from '../../infra/net/addresses.ts'
import { parseUrl } from '../../infra/net/parse-url.ts'
import { limitConcurrency } from '../../infra/util/semaphore.ts'
import { EgressError, noAnswer } from './egress-error.ts'
import { lookUp } from './look-up.ts'
import { type EgressRequest, type EgressResponse, hostOf, sendOutside, type Target } from './send-outside.ts'
import { signedAsBot } from './sign-as-bot.ts'

export { EgressError } from './egress-error.ts'
export type { EgressRequest, EgressResponse } from './send-outside.ts'

const LOOK_UP_TIMEOUT_MS = 5_000
/** Bytes of a URL that a caller names. The database indexes URLs, and an index entry has a maximum size. */
const MAX_ADDRESS_BYTES = 2_000
/** Bytes. Reading a longer answer takes noticeable time. */
const LARGE_BODY_BYTES = 8 * 1024

const oneAtATime = limitConcurrency(1)

/**
 * Calls an address that a caller named: https only, no redirects, public internet only. It connects to exactly the IP
 * addresses that it checked, because a second DNS lookup could return others. In development, a server that listens on
 * loopback may call loopback.
 */
export async function callOutside(address: string, request: EgressRequest, config: Config): Promise<EgressResponse> {
  const signal = AbortSignal.timeout(request.timeout)
  const target = await targetOf(allowedUrl(address, config), config, signal)
  const response = await sendOutside(target, signedAsBot(request, target.url, config), signal)
  // Answers that end in the same moment are read one per turn of the event loop, or other requests would wait for all.
  if (response.body.length > LARGE_BODY_BYTES) await oneAtATime(othersTurn)
  return response
}

export const fetchDocument = (address: string, config: Config): Promise<EgressResponse> =>
  callOutside(address, { timeout: 5_000, mostBytes: 256 * 1024, headers: { accept: 'application/json' } }, config)

/** The URL that a caller named, with its IP addresses. The server may call all of them. */
export const checkedTarget = (address: string, config: Config): Promise<Target> =>
  targetOf(checkedUrl(address, config), config, AbortSignal.timeout(LOOK_UP_TIMEOUT_MS))

const targetOf = async (url: URL, config: Config, signal: AbortSignal): Promise<Target> => ({
  url,
  addresses: await checkedAddresses(hostOf(url), config, signal),
})

/** The URL that a caller named. Refuses a URL by its form only, without a DNS lookup. */
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
 * All addresses of a host name must be public. Returns one IPv4 and one IPv6 address, in this order: the machine may lack
 * a route for one family.
 */
async function checkedAddresses(host: string, config: Config, signal: AbortSignal) {
  const found = isIP(host) ? [host] : await lookUp(host, config.nameservers, signal)
  if (signal.aborted) throw noAnswer()
  if (found.length === 0) throw new EgressError('unreachable', 'has a host name that cannot be resolved')
  if (!found.every((address) => isAllowed(address, config)))
    throw new EgressError('forbidden', 'leads to an address that is not on the public internet')
  return [4, 6].flatMap((family) => found.find((address) => isIP(address) === family) ?? [])
}
