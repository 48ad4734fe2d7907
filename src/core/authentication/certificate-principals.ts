import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { type Database, onlyRow } from '../../infra/db/database.ts'
import type { CertificateIdentity } from '../../protocol/caller.ts'

/** Principals by certificate thumbprint. The principal of a certificate never changes. */
const principals = new WeakMap<Database, LRUCache<string, string>>()

export async function principalOf(db: Database, certificate: CertificateIdentity): Promise<string> {
  const known = principals.get(db) ?? new LRUCache<string, string>({ max: 10_000 })
  principals.set(db, known)
  const principal = known.get(certificate.thumbprint) ?? (await findPrincipal(db, certificate))
  known.set(certificate.thumbprint, principal)
  return principal
}

/**
 * Older servers identified a holder by one certificate. A holder known that way keeps this principal for later
 * certificates. A second old certificate keeps its own principal.
 */
async function findPrincipal(db: Database, { holder, thumbprint }: CertificateIdentity): Promise<string> {
  const before = sql`(select principal from principals where principal = ${`cert:${thumbprint}`})`
  const found = await sql<{ principal: string }>`
    insert into certificate_holders as known (holder, principal) values (${holder}, coalesce(${before}, ${`cert:${holder}`}))
    on conflict (holder) do update set principal = known.principal
    returning coalesce(${before}, known.principal) as principal`.execute(db)
  return onlyRow(found).principal
}
