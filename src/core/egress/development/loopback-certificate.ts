import { readFileSync } from 'node:fs'
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'

const file = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')

/**
 * A certificate for localhost, for development only. The private key of the certificate is part of this repository, so
 * everyone can read it. Therefore only a development server trusts the certificate, and only for loopback addresses.
 * With this certificate, a program on the same machine can publish a platform profile over https.
 */
export const loopbackCertificate = () => ({ cert: file('loopback-cert.pem'), key: file('loopback-key.pem') })

let trust: SecureContext | undefined

/**
 * Returns the TLS settings for calls to loopback addresses. The function caches these settings, because reading all
 * certificate authorities takes longer than a whole call.
 */
export function loopbackTrust(ciphers: string): SecureContext {
  trust ??= createSecureContext({ ca: loopbackAuthorities(), ciphers })
  return trust
}

const loopbackAuthorities = (): string[] => [...getCACertificates('default'), file('loopback-cert.pem')]
