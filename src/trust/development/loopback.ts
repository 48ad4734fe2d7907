import { readFileSync } from 'node:fs'
import { getCACertificates } from 'node:tls'

const file = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')

/**
 * A certificate for localhost whose key everyone can read here. A development server trusts it for loopback alone, so
 * that an agent on the same machine can publish its profile over https without anyone setting up certificates.
 */
export const loopbackCertificate = () => ({ cert: file('loopback-cert.pem'), key: file('loopback-key.pem') })

let authorities: string[] | undefined

export function loopbackAuthorities(): string[] {
  authorities ??= [...getCACertificates('default'), file('loopback-cert.pem')]
  return authorities
}
