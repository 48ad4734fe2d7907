import type { Insertable, Selectable } from 'kysely'
import type { Database } from '../../infra/db/database.ts'
import type { ScopedCredentials } from '../../infra/db/schema.generated.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { rfc3339Exact } from '../../infra/time/time-zone.ts'
import type { Caller } from '../../protocol/caller-types.ts'
import type { Resource } from '../../protocol/define-operation.ts'
import type { BookingScopedCredential } from '../../protocol/types.generated.ts'
import { newSecret, secretDigest } from '../keys/encrypt-secrets.ts'

export type ScopedCredential = Selectable<ScopedCredentials>

interface CredentialLifetime {
  expiresAt: Date
  /** The time zone in which the answer to the caller shows the expiry time of the credential. */
  zone: string
}

/**
 * Creates a credential: a secret that gives the caller access to a new booking or waitlist entry. Returns undefined if
 * the business does not accept such credentials.
 */
export function issueScopedCredential(
  tx: UnitOfWork,
  resource: Resource,
  caller: Caller,
  lasting: CredentialLifetime,
): BookingScopedCredential | undefined {
  const created = makeCredential(resource, caller, lasting)
  if (created) tx.insertAtCommit('scoped_credentials', created.row)
  return created?.credential
}

export async function renewScopedCredential(
  db: Database,
  resource: Resource,
  caller: Caller,
  lasting: CredentialLifetime,
): Promise<BookingScopedCredential | undefined> {
  const created = makeCredential(resource, caller, lasting)
  if (created) await db.insertInto('scoped_credentials').values(created.row).execute()
  return created?.credential
}

/**
 * Gives the caller a new credential for a booking or waitlist entry if the present credential expires before
 * `expiresAt`. The new credential is bound to the same key. The present credential stays valid until it expires.
 */
export async function extendScopedCredential(
  tx: UnitOfWork,
  resource: Resource,
  caller: Caller,
  lasting: CredentialLifetime,
): Promise<BookingScopedCredential | undefined> {
  const key = keyToBind(caller)
  const present = await tx
    .selectFrom('scoped_credentials')
    .select(['expires_at', 'jkt'])
    .where('resource_kind', '=', resource.kind)
    .where('resource_id', '=', resource.id)
    .where('principal', '=', caller.principal)
    .$if(key !== null, (query) => query.where('jkt', '=', key))
    .orderBy('expires_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!present || present.expires_at >= lasting.expiresAt) return undefined
  const made = makeCredential(resource, caller, lasting, present.jkt)
  if (made) tx.insertAtCommit('scoped_credentials', made.row)
  return made?.credential
}

/**
 * Creates a credential (a secret) for one booking or waitlist entry. If the caller proved possession of a private key,
 * only the owner of this key can use the credential. Otherwise, each person who knows the credential can use it.
 */
function makeCredential(
  resource: Resource,
  caller: Caller,
  { expiresAt, zone }: CredentialLifetime,
  jkt = keyToBind(caller),
): { row: Insertable<ScopedCredentials>; credential: BookingScopedCredential } | undefined {
  const { principal, profile, credentials } = caller
  if (!credentials) return undefined
  const value = newSecret('bsc')
  const row = {
    value_hash: secretDigest(value),
    resource_kind: resource.kind,
    resource_id: resource.id,
    principal,
    profile,
    jkt,
    expires_at: expiresAt,
  }
  const credential = { value, expires_at: rfc3339Exact(zone, expiresAt), ...(jkt !== null && { cnf: { jkt } }) }
  return { row, credential }
}

const keyToBind = ({ principal, mechanism }: Pick<Caller, 'principal' | 'mechanism'>): string | null =>
  mechanism === 'platform_key_pop' ? principal.replace(/^key:/, '') : null

/**
 * Returns the time when the caller's last credential for the booking or waitlist entry expires. Ignores credentials
 * that are not bound to the key of the caller.
 */
export async function boundCredentialExpiry(
  db: Database,
  { kind, id }: Resource,
  caller: Caller,
): Promise<Date | undefined> {
  const jkt = keyToBind(caller)
  if (jkt === null) return undefined
  const last = await db
    .selectFrom('scoped_credentials')
    .select('expires_at')
    .where('resource_kind', '=', kind)
    .where('resource_id', '=', id)
    .where('jkt', '=', jkt)
    .orderBy('expires_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.expires_at
}

export async function scopedCredential(db: Database, value: string): Promise<ScopedCredential | undefined> {
  return db
    .selectFrom('scoped_credentials')
    .selectAll()
    .where('value_hash', '=', secretDigest(value))
    .executeTakeFirst()
}
