import { readFileSync } from 'node:fs'
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'

const file = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')

/**
 * A certificate for localhost. Its private key is public, because it is part of this repository. Only a development
 * server trusts the certificate, and only for loopback addresses. An agent on the same machine can publish a profile
 * over https with this certificate.
 */
export const loopbackCertificate = () => ({ cert: file('loopback-cert.pem'), key: file('loopback-key.pem') })

let trust: SecureContext | undefined

/**
 * Returns the TLS settings for calls to loopback addresses. Caches them, because reading all certificate authorities
 * takes longer than a whole call.
 */
export function loopbackTrust(ciphers: string): SecureContext {
  trust ??= createSecureContext({ ca: loopbackAuthorities(), ciphers })
  return trust
}

const loopbackAuthorities = (): string[] => [...getCACertificates('default'), file('loopback-cert.pem')]
