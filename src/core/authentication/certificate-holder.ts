import { hash, type X509Certificate } from 'node:crypto'
import type { ShownCertificate } from '../../protocol/caller.ts'

/**
 * Whom a certificate names (RFC 8705): what its issuer calls the subject, which a renewed certificate has as well, while
 * its key and its dates are others. Where the subject is empty its other names stand for it, and where there are none,
 * the key.
 */
export function shownBy(certificate: X509Certificate): ShownCertificate {
  const { issuer, subject, subjectAltName, raw } = certificate
  // A key may be of a kind that cannot be read.
  const key = () => certificate.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  const named = subject ? { issuer, subject } : subjectAltName ? { issuer, subjectAltName } : { issuer, key: key() }
  return { holder: hash('sha256', JSON.stringify(named), 'base64url'), thumbprint: hash('sha256', raw, 'base64url') }
}
