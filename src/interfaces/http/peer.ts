import { X509Certificate } from 'node:crypto'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { compile } from '@fastify/proxy-addr'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { parseItem } from 'structured-headers'
import { shownBy } from '../../core/authentication/certificate-holder.ts'
import { remember } from '../../infra/util/remember.ts'
import type { Peer } from '../../protocol/caller.ts'
import type { Means } from '../../protocol/means.ts'
import { callerAddress } from './caller-address.ts'

declare module 'fastify' {
  interface FastifyRequest {
    peer: Peer
  }
}

/** Tells both bindings who is at the other end of a request. */
export function recognizePeers(app: FastifyInstance, { config }: Means<'config'>) {
  // The judge that Fastify itself has for X-Forwarded-*. To take an address apart takes longer than to remember it.
  const judge = compile(config.trustProxy)
  const isTrusted = remember(1_000, (address: string) => judge(address, 0))
  // Brought down to the one address that counts, which is then the `ip` of the request for all who ask.
  app.addHook('onRequest', ({ raw: { headers, socket } }, _, done) => {
    const forwarded = headers['x-forwarded-for']
    if (forwarded !== undefined && socket.remoteAddress !== undefined)
      headers['x-forwarded-for'] = callerAddress(socket.remoteAddress, String(forwarded), isTrusted)
    done()
  })
  app.decorateRequest('peer', {
    getter(this: FastifyRequest) {
      const { socket } = this.raw
      // A proxy's own certificate says nothing of its client, and nobody but a proxy may speak for another.
      const byProxy = socket.remoteAddress !== undefined && isTrusted(socket.remoteAddress)
      const certificate = readable(byProxy ? forwarded(this.headers['client-cert']) : verified(socket))
      const agent = this.signatureAgent
      return { address: this.ip, ...(certificate && { certificate }), ...(agent !== '' && { agent }) }
    },
  })
}

/** Who is shown by it. One whose key cannot be read shows nobody. */
function readable(certificate: X509Certificate | undefined): Peer['certificate'] {
  try {
    return certificate && shownBy(certificate)
  } catch {
    return undefined
  }
}

/** A resumed session can be authorized without any certificate, so that alone is not enough. */
function verified(socket: Socket): X509Certificate | undefined {
  return socket instanceof TLSSocket && socket.authorized ? socket.getPeerX509Certificate() : undefined
}

/** RFC 9440: the DER as a structured byte sequence. What is not that counts as no certificate. */
function forwarded(header: unknown): X509Certificate | undefined {
  if (typeof header !== 'string') return undefined
  try {
    const [value] = parseItem(header)
    return value instanceof ArrayBuffer ? new X509Certificate(Buffer.from(value)) : undefined
  } catch {
    return undefined
  }
}
