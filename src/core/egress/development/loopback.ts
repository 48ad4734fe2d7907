import { readFileSync } from 'node:fs'
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'

const file = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')

/**
 * A certificate for localhost whose key everyone can read here. A development server trusts it for loopback alone, so
 * that an agent on the same machine can publish its profile over https without anyone setting up certificates.
 */
export const loopbackCertificate = () => ({ cert: file('loopback-cert.pem'), key: file('loopback-key.pem') })

let trust: SecureContext | undefined

/** Made once: to read all authorities anew takes longer than a whole call. */
export function loopbackTrust(ciphers: string): SecureContext {
  trust ??= createSecureContext({ ca: loopbackAuthorities(), ciphers })
  return trust
}

const loopbackAuthorities = (): string[] => [...getCACertificates('default'), file('loopback-cert.pem')]
