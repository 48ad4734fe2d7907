import { hash, type X509Certificate } from 'node:crypto'
import type { CertificateIdentity } from '../../protocol/caller.ts'

/**
 * Identifies the holder of a certificate (RFC 8705) by issuer and subject. A renewed certificate has the same subject but
 * another key and other dates. With an empty subject, its alternative names identify the holder, and without those, the
 * key.
 */
export function certificateIdentity(certificate: X509Certificate): CertificateIdentity {
  const { issuer, subject, subjectAltName, raw } = certificate
  // Computed only when needed: some kinds of keys cannot be read.
  const key = () => certificate.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  const named = subject ? { issuer, subject } : subjectAltName ? { issuer, subjectAltName } : { issuer, key: key() }
  return { holder: hash('sha256', JSON.stringify(named), 'base64url'), thumbprint: hash('sha256', raw, 'base64url') }
}
