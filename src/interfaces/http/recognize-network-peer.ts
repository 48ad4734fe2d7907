import { X509Certificate } from 'node:crypto'
import { isIP, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { compile } from '@fastify/proxy-addr'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { parseItem } from 'structured-headers'
import { certificateIdentity } from '../../core/authentication/schemes/mtls.ts'
import { signatureAgentOf } from '../../core/authentication/verify-bot-signature.ts'
import type { KeyDirectories } from '../../core/profiles/bot-key-directories.ts'
import { isLoopback } from '../../infra/net/ip-addresses.ts'
import { memoize } from '../../infra/util/memoize.ts'
import { isTimeSliceUsed, yieldToEventLoop } from '../../infra/util/yield-to-event-loop.ts'
import type { Peer } from '../../protocol/caller-types.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'

declare module 'fastify' {
  interface FastifyRequest {
    peer: Peer
    /** The host of the web bot that signed the request (Web Bot Auth). Empty if no bot signed the request. */
    signatureAgent: string
  }
}

/**
 * Sets `request.peer`, which describes the caller: the IP address, and the client certificate if there is one. REST and
 * MCP read `request.peer`.
 */
export function recognizePeers(app: FastifyInstance, { config }: Dependencies<'config'>) {
  // Decides whether an IP address belongs to a trusted proxy, with the same library as Fastify. The server caches the
  // results, because parsing an IP address is slower than a lookup in the cache.
  const judge = compile(config.trustProxy)
  const isTrusted = memoize(1_000, (address: string) => judge(address, 0))
  // The hook replaces the list in `X-Forwarded-For` with the caller's IP address. Fastify then uses this address as
  // `request.ip`.
  app.addHook('onRequest', ({ raw: { headers, socket } }, _, done) => {
    const forwarded = headers['x-forwarded-for']
    if (forwarded !== undefined && socket.remoteAddress !== undefined)
      headers['x-forwarded-for'] = callerAddress(socket.remoteAddress, String(forwarded), isTrusted)
    done()
  })
  app.decorateRequest('peer', {
    getter(this: FastifyRequest) {
      const { socket } = this.raw
      // A trusted proxy may forward the caller's certificate in a header. The certificate of the proxy's own connection
      // does not identify the caller.
      const byProxy = socket.remoteAddress !== undefined && isTrusted(socket.remoteAddress)
      const certificate = identityOfCertificate(
        byProxy ? forwardedCertificate(this.headers['client-cert']) : verifiedCertificate(socket),
      )
      const agent = this.signatureAgent
      return { address: this.ip, ...(certificate && { certificate }), ...(agent !== '' && { agent }) }
    },
  })
}

/**
 * Returns the identity of the holder of a client certificate. Returns undefined if the server cannot read the key in
 * the certificate.
 */
function identityOfCertificate(certificate: X509Certificate | undefined): Peer['certificate'] {
  try {
    return certificate && certificateIdentity(certificate)
  } catch {
    return undefined
  }
}

/**
 * Returns the verified client certificate of a TLS connection. Checking `authorized` is not enough, because a resumed
 * TLS session can be authorized without a certificate.
 */
function verifiedCertificate(socket: Socket): X509Certificate | undefined {
  return socket instanceof TLSSocket && socket.authorized ? socket.getPeerX509Certificate() : undefined
}

/**
 * Reads the client certificate in the header `Client-Cert` (RFC 9440). The header contains the DER bytes as a
 * structured byte sequence. The server ignores a value in any other form.
 */
function forwardedCertificate(header: unknown): X509Certificate | undefined {
  if (typeof header !== 'string') return undefined
  try {
    const [value] = parseItem(header)
    return value instanceof ArrayBuffer ? new X509Certificate(Buffer.from(value)) : undefined
  } catch {
    return undefined
  }
}

/**
 * Finds the IP address of the caller behind proxies. Each proxy appends the address of its own caller to the list in
 * `X-Forwarded-For`. The function reads this list from the end, and stops at the first untrusted address, because a
 * client can invent all earlier items. If an item is not an address, returns the address of the proxy that wrote the
 * item.
 */
function callerAddress(peer: string, forwardedFor: string, isTrusted: (address: string) => boolean): string {
  const hops = forwardedFor.split(',')
  let address = peer
  while (isTrusted(address)) {
    const next = addressIn(hops.pop() ?? '')
    if (next === undefined) return address
    address = next
  }
  return address
}

/**
 * Reads an IP address in `X-Forwarded-For`, and removes its port. Some proxies append the port. With different ports,
 * one caller would count as several callers.
 */
function addressIn(hop: string): string | undefined {
  const [, bracketed, withPort] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d+)?$/.exec(hop.trim()) ?? []
  const address = bracketed ?? withPort ?? hop.trim()
  return isIP(address) === 0 ? undefined : ipaddr.process(address).toString()
}

/** Sets `request.signatureAgent`, the host of a web bot that signed the request, for all interfaces and for the log. */
export function recognizeAgents(
  app: FastifyInstance,
  dependencies: Dependencies<'config' | 'clock'> & { directories: KeyDirectories },
) {
  app.decorateRequest('signatureAgent', '')
  app.addHook('onRequest', async (request) => {
    const { headers, method, originalUrl: target, peer } = request
    if (headers['signature-agent'] === undefined) return
    // Checking a signature takes time. Hundreds of signed requests can arrive in one turn of the event loop, before any
    // rate limit. Therefore the server first handles other requests.
    if (isTimeSliceUsed()) await yieldToEventLoop()
    request.signatureAgent =
      signatureAgentOf({ headers, peer, http: { method, target, body: Buffer.alloc(0) } }, dependencies) ?? ''
  })
}

/**
 * Whether a request comes from this machine. A request with a proxy header does not count, because a proxy on this
 * machine can forward requests from other machines.
 */
export const isFromThisMachine = ({ socket: { remoteAddress = '' }, headers }: FastifyRequest): boolean =>
  remoteAddress !== '' && isLoopback(remoteAddress) && ofProxies.every((name) => headers[name] === undefined)

const ofProxies = ['x-forwarded-for', 'x-forwarded-proto', 'x-real-ip', 'forwarded', 'via']
