import type { Selectable } from 'kysely'
import { writtenExactly } from '../availability/zone.ts'
import type { Database } from '../db/database.ts'
import { writeLater } from '../db/later.ts'
import type { ScopedCredentials } from '../db/schema.generated.ts'
import type { Caller, Resource } from '../protocol/operation.ts'
import type { BookingScopedCredential } from '../protocol/types.generated.ts'
import { newSecret, secretDigest } from './secrets.ts'

export type ScopedCredential = Selectable<ScopedCredentials>

/**
 * Issues a credential for one resource to whoever created it, where credentials are accepted. A caller that proved a key
 * gets one bound to that key; an unbound one is issued only to callers that had no key to bind, since it can be used by
 * whoever reads it.
 */
export async function issueScopedCredential(
  tx: Database,
  resource: Resource,
  { principal, profile, mechanism, credentials }: Caller,
  { expiresAt, zone }: { expiresAt: Date; zone: string },
): Promise<BookingScopedCredential | undefined> {
  if (!credentials) return undefined
  const value = newSecret('bsc')
  const jkt = keyToBind({ principal, mechanism })
  const row = {
    value_hash: secretDigest(value),
    resource_kind: resource.kind,
    resource_id: resource.id,
    principal,
    profile,
    jkt,
    expires_at: expiresAt,
  }
  await writeLater(tx, 'scoped_credentials', row)
  return { value, expires_at: writtenExactly(zone, expiresAt), ...(jkt !== null && { cnf: { jkt } }) }
}

const keyToBind = ({ principal, mechanism }: Pick<Caller, 'principal' | 'mechanism'>): string | null =>
  mechanism === 'platform_key_pop' ? principal.replace(/^key:/, '') : null

/** When the last credential for this resource ends that is bound to the key the caller proved; nothing without one. */
export async function boundUntil(db: Database, { kind, id }: Resource, caller: Caller): Promise<Date | undefined> {
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
