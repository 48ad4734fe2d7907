import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Database } from '../db/database.ts'
import { ProtocolError } from '../protocol/errors.ts'

/** A binding never changes once it is made, so what was read stays true. */
const bindings = new WeakMap<Database, LRUCache<string, string>>()

/**
 * Trust on first use: the first profile a principal names is its own from then on. Many principals may share one
 * profile; none may change its own.
 */
export async function bindIdentity(db: Database, principal: string, profile: string, now: Date): Promise<void> {
  const known = bindings.get(db) ?? new LRUCache<string, string>({ max: 10_000 })
  bindings.set(db, known)
  const bound = known.get(principal) ?? (await firstProfile(db, principal, profile, now))
  known.set(principal, bound)
  if (bound !== profile)
    throw new ProtocolError(
      'authentication_required',
      'This caller named another platform profile before, and must keep to it.',
    )
}

async function firstProfile(db: Database, principal: string, profile: string, now: Date): Promise<string> {
  const { rows } = await sql<{ profile: string }>`
    insert into principals (principal, profile, first_seen) values (${principal}, ${profile}, ${now})
    on conflict (principal) do update set profile = principals.profile
    returning profile`.execute(db)
  return rows[0]?.profile ?? profile
}
