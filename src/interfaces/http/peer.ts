import { X509Certificate } from 'node:crypto'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { compile } from '@fastify/proxy-addr'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { parseItem } from 'structured-headers'
import { certificateIdentity } from '../../core/authentication/schemes/mtls.ts'
import { memoize } from '../../infra/util/memoize.ts'
import type { Peer } from '../../protocol/caller.ts'
import type { Dependencies } from '../../protocol/dependencies.ts'
import { callerAddress } from './caller-address.ts'

declare module 'fastify' {
  interface FastifyRequest {
    peer: Peer
  }
}

/** Sets `request.peer`, the other end of the connection, for both bindings. */
export function recognizePeers(app: FastifyInstance, { config }: Dependencies<'config'>) {
  // The same trust function as Fastify uses for X-Forwarded-*. The cache is there because parsing an address takes longer
  // than a lookup.
  const judge = compile(config.trustProxy)
  const isTrusted = memoize(1_000, (address: string) => judge(address, 0))
  // Reduces X-Forwarded-For to the caller's address. Fastify then uses this address as `request.ip`.
  app.addHook('onRequest', ({ raw: { headers, socket } }, _, done) => {
    const forwarded = headers['x-forwarded-for']
    if (forwarded !== undefined && socket.remoteAddress !== undefined)
      headers['x-forwarded-for'] = callerAddress(socket.remoteAddress, String(forwarded), isTrusted)
    done()
  })
  app.decorateRequest('peer', {
    getter(this: FastifyRequest) {
      const { socket } = this.raw
      // The certificate of a proxy says nothing about its client. Only a trusted proxy may forward a client's certificate.
      const byProxy = socket.remoteAddress !== undefined && isTrusted(socket.remoteAddress)
      const certificate = identityOfCertificate(
        byProxy ? forwardedCertificate(this.headers['client-cert']) : verifiedCertificate(socket),
      )
      const agent = this.signatureAgent
      return { address: this.ip, ...(certificate && { certificate }), ...(agent !== '' && { agent }) }
    },
  })
}

/** The holder of a certificate. A certificate with an unreadable key counts as none. */
function identityOfCertificate(certificate: X509Certificate | undefined): Peer['certificate'] {
  try {
    return certificate && certificateIdentity(certificate)
  } catch {
    return undefined
  }
}

/** A resumed TLS session can be authorized without a certificate. Checking `authorized` alone is not enough. */
function verifiedCertificate(socket: Socket): X509Certificate | undefined {
  return socket instanceof TLSSocket && socket.authorized ? socket.getPeerX509Certificate() : undefined
}

/** RFC 9440: the DER bytes as a structured byte sequence. Any other form counts as no certificate. */
function forwardedCertificate(header: unknown): X509Certificate | undefined {
  if (typeof header !== 'string') return undefined
  try {
    const [value] = parseItem(header)
    return value instanceof ArrayBuffer ? new X509Certificate(Buffer.from(value)) : undefined
  } catch {
    return undefined
  }
}
