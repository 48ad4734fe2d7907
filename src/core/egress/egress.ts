import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { setImmediate as othersTurn, setTimeout as pass } from 'node:timers/promises'
import type { Config } from '../../infra/config/config.ts'
import { isLoopback, isPublicAddress } from '../../infra/net/addresses.ts'
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
} from './send-outside.ts'

export type { EgressRequest, EgressResponse } from './send-outside.ts'
export { EgressError } from './send-outside.ts'

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

/** Milliseconds until a nameserver must answer. c-ares doubles them for the second try. */
const resolverOptions = { timeout: 1_500, tries: 2 }
/** Milliseconds that the lookup waits for the second address family. Some nameservers answer for one family only. */
const SECOND_FAMILY_WAIT_MS = 300

/**
 * Resolves a host name that a caller named. It does not use the lookup of the operating system, which blocks one of the few
 * threads of the process until its timeout. A nameserver that never answers could block all of them.
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

/** These names always mean loopback and need no nameserver (RFC 6761). */
const isLocalhost = (host: string) => /(^|\.)localhost\.?$/i.test(host)

/** The bot identity of this server. Undefined where other hosts cannot fetch its key: without https or a secret key. */
export const botOf = ({ secretKey, baseUrl }: Config) =>
  secretKey !== undefined && baseUrl.startsWith('https:') ? { origin: baseUrl, key: botKey(secretKey) } : undefined

/** Signs the request as web bots do. Leaves signed requests alone: some verifiers fail on a second signature. */
function signedAsBot(request: EgressRequest, url: URL, config: Config): EgressRequest {
  const { method = 'GET', headers = {} } = request
  const bot = headers.signature === undefined ? botOf(config) : undefined
  if (!bot) return request
  return { ...request, headers: { ...headers, ...botHeaders(method, url, { ...bot, now: new Date() }) } }
}
