import { hash, type X509Certificate } from 'node:crypto'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { type Database, onlyRow } from '../../../infra/db/database.ts'
import type { CertificateIdentity } from '../../../protocol/caller-types.ts'
import { ProtocolError } from '../../../protocol/errors.ts'
import { declared, type Scheme } from '../authentication-policy.ts'

/** Authenticates the caller with a client certificate that this server or a trusted proxy has verified. */
export const mtls: Scheme = {
  mechanism: 'mtls',
  async authenticate({ call, dependencies }) {
    const { certificate } = call.peer
    if (certificate !== undefined) return { principal: await principalOf(dependencies.db, certificate) }
    if (declared(call)?.mechanism !== 'mtls') return undefined
    throw new ProtocolError('authentication_required', 'No verified client certificate came with this connection.')
  },
}

/**
 * Caches the principal (the stored caller name) of each client certificate. The cache key is the certificate's
 * thumbprint. The principal of a certificate never changes.
 */
const principals = new WeakMap<Database, LRUCache<string, string>>()

async function principalOf(db: Database, certificate: CertificateIdentity): Promise<string> {
  const known = principals.get(db) ?? new LRUCache<string, string>({ max: 10_000 })
  principals.set(db, known)
  const principal = known.get(certificate.thumbprint) ?? (await findPrincipal(db, certificate))
  known.set(certificate.thumbprint, principal)
  return principal
}

/**
 * Returns the stored name (principal) of the caller who holds the certificate. Older server versions derived this name
 * from the thumbprint of the certificate. A caller from that time keeps the old name, also with a renewed certificate.
 * If a caller has two old certificates, each certificate keeps its own name.
 */
async function findPrincipal(db: Database, { holder, thumbprint }: CertificateIdentity): Promise<string> {
  const before = sql`(select principal from principals where principal = ${`cert:${thumbprint}`})`
  const found = await sql<{ principal: string }>`
    insert into certificate_holders as known (holder, principal) values (${holder}, coalesce(${before}, ${`cert:${holder}`}))
    on conflict (holder) do update set principal = known.principal
    returning coalesce(${before}, known.principal) as principal`.execute(db)
  return onlyRow(found).principal
}

/**
 * Identifies the holder of a certificate by issuer and subject (RFC 8705), because a renewed certificate has the same
 * subject but a different key. If the subject is empty, the server uses the alternative names instead. If the
 * certificate has no names, the server uses the key instead.
 */
export function certificateIdentity(certificate: X509Certificate): CertificateIdentity {
  const { issuer, subject, subjectAltName, raw } = certificate
  // Some kinds of public keys cannot be exported. Therefore the server exports the key only if the certificate contains
  // no name.
  const key = () => certificate.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  const holderIdentity = subject
    ? { issuer, subject }
    : subjectAltName
      ? { issuer, subjectAltName }
      : { issuer, key: key() }
  return {
    holder: hash('sha256', JSON.stringify(holderIdentity), 'base64url'),
    thumbprint: hash('sha256', raw, 'base64url'),
  }
}
