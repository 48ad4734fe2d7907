import { readFileSync } from 'node:fs'
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'

const file = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')

/**
 * A certificate for localhost. Its private key is public, because it is part of this repository. A development server
 * trusts the certificate for loopback addresses only. An agent on the same machine can use it to publish a profile over
 * https.
 */
export const loopbackCertificate = () => ({ cert: file('loopback-cert.pem'), key: file('loopback-key.pem') })

let trust: SecureContext | undefined

/**
 * The TLS settings for calls to loopback addresses. They are cached, because reading all certificate authorities takes
 * longer than a whole call.
 */
export function loopbackTrust(ciphers: string): SecureContext {
  trust ??= createSecureContext({ ca: loopbackAuthorities(), ciphers })
  return trust
}

const loopbackAuthorities = (): string[] => [...getCACertificates('default'), file('loopback-cert.pem')]
