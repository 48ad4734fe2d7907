import { lookup as resolve } from 'node:dns/promises'
import { request as httpsRequest, type RequestOptions } from 'node:https'
import { isIP } from 'node:net'
import type { Config } from '../config.ts'
import { isLoopback, isPublicAddress } from './addresses.ts'
import { loopbackTrust } from './development/loopback.ts'

/** Why an address that a caller chose is not called, or could not be. */
export class EgressError extends Error {
  readonly reason: 'forbidden' | 'unreachable' | 'oversized'

  constructor(reason: 'forbidden' | 'unreachable' | 'oversized', message: string) {
    super(message)
    this.reason = reason
  }
}

export interface EgressRequest {
  method?: 'GET' | 'POST' | 'DELETE'
  headers?: Record<string, string>
  body?: Buffer
  /** Milliseconds until the answer must be complete. */
  timeout: number
  mostBytes: number
}

export interface EgressResponse {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

/**
 * Calls an address that somebody outside chose: https alone, no redirects, only to the public internet, and to the
 * very address that was checked, so that a second look-up cannot lead elsewhere. In development a server that itself
 * listens on loopback may call loopback.
 */
export async function callOutside(address: string, request: EgressRequest, config: Config): Promise<EgressResponse> {
  const signal = AbortSignal.timeout(request.timeout)
  const { url, target } = await Promise.race([checkedTarget(address, config), givenUp(signal)])
  return send(url, target, request, signal)
}

/** Small JSON that somebody publishes: a profile, keys, where things are. */
export const fetchDocument = (address: string, config: Config): Promise<EgressResponse> =>
  callOutside(address, { timeout: 5_000, mostBytes: 256 * 1024, headers: { accept: 'application/json' } }, config)

/** A look-up cannot be cancelled, but nobody has to wait for it. */
const givenUp = (signal: AbortSignal) =>
  new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(new EgressError('unreachable', 'did not answer')), { once: true }),
  )

/** The address as a URL, and the one IP address that was found for it and may be called. */
export async function checkedTarget(address: string, config: Config): Promise<{ url: URL; target: string }> {
  const url = checkedUrl(address, config)
  return { url, target: await checkedAddress(hostOf(url), config) }
}

/** The address as a URL, or a refusal for what its form alone tells. Nothing is looked up. */
export function checkedUrl(address: string, config: Config): URL {
  const url = URL.parse(address)
  if (!url) throw new EgressError('forbidden', 'is not a URL')
  if (url.username || url.password) throw new EgressError('forbidden', 'may not contain a user name or password')
  if (url.protocol !== 'https:') throw new EgressError('forbidden', 'must be an https URL')
  const host = hostOf(url)
  if (isIP(host) && !isAllowed(host, config))
    throw new EgressError('forbidden', 'leads to an address that is not on the public internet')
  return url
}

const hostOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '')

const isAllowed = (address: string, { mode, host }: Config) =>
  isPublicAddress(address) || (mode === 'development' && isLocalName(host) && isLoopback(address))

const isLocalName = (host: string) => host === 'localhost' || (isIP(host) > 0 && isLoopback(host))

/** Of a name with several addresses every one must be public: which of them is called is not ours to bet on. */
async function checkedAddress(host: string, config: Config): Promise<string> {
  const found = isIP(host) ? [{ address: host }] : await resolve(host, { all: true }).catch(() => [])
  const [first] = found
  if (!first) throw new EgressError('unreachable', 'has a host name that cannot be resolved')
  if (!found.every(({ address }) => isAllowed(address, config)))
    throw new EgressError('forbidden', 'leads to an address that is not on the public internet')
  return first.address
}

function send(url: URL, address: string, request: EgressRequest, signal: AbortSignal): Promise<EgressResponse> {
  const { method = 'GET', headers = {}, body, mostBytes } = request
  const options: RequestOptions = {
    method,
    headers: { ...headers, ...(body && { 'content-length': String(body.length) }) },
    signal,
    agent: false,
    ...(isLoopback(address) && { secureContext: loopbackTrust() }),
    lookup: (_, { all }, done) => {
      const family = isIP(address)
      if (all) done(null, [{ address, family }])
      else done(null, address, family)
    },
  }
  return new Promise((resolve, reject) => {
    const fail = (error: Error) =>
      reject(error instanceof EgressError ? error : new EgressError('unreachable', 'did not answer'))
    const call = httpsRequest(url, options, (response) => {
      const chunks: Buffer[] = []
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > mostBytes)
          response.destroy(new EgressError('oversized', `answered with more than ${mostBytes} bytes`))
        else chunks.push(chunk)
      })
      response.on('error', fail)
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      )
    })
    call.on('error', fail)
    call.end(body)
  })
}
