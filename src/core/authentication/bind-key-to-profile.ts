import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { type Database, onlyRow } from '../../infra/db/database.ts'
import { BATCH, deleteInBatches } from '../../infra/db/delete-in-batches.ts'
import { DAY } from '../../infra/time/time-units.ts'
import type { Agent } from '../../protocol/caller-types.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { PlatformProfile } from '../../protocol/types.generated.ts'
import { usableThumbprint } from '../keys/public-keys.ts'

interface Claim {
  principal: string
  profile: string
  isPublished: boolean
}

interface Binding {
  profile: string
  /** The time when this process last stored a call of the caller in the database, in milliseconds since 1970. */
  seen: number
  /**
   * Whether the database records that the platform profile has published the caller's key. If it does, further calls
   * within a day write nothing to the database.
   */
  isPublished: boolean
}

/**
 * Caches for one day which platform profile each caller is bound to. The database keeps this row for more than a day
 * after the caller's last call, and the profile in the row never changes.
 */
const bindings = new WeakMap<Database, LRUCache<string, Binding>>()

/**
 * Binds a caller's key to the first platform profile that the caller names (trust on first use). The server later
 * refuses calls with this key for any other profile. Callers with different keys can name the same profile.
 */
export async function bindIdentity(db: Database, claim: Claim, now: Date): Promise<void> {
  const { principal, profile, isPublished } = claim
  const known = bindings.get(db) ?? new LRUCache<string, Binding>({ max: 10_000 })
  bindings.set(db, known)
  const before = known.get(principal)
  const isFresh =
    before !== undefined && Math.abs(now.getTime() - before.seen) < DAY && (before.isPublished || !isPublished)
  const bound = isFresh ? before : { profile: await firstProfile(db, claim, now), seen: now.getTime(), isPublished }
  known.set(principal, bound)
  if (bound.profile !== profile)
    throw new ProtocolError(
      'authentication_required',
      'This caller named another platform profile before, and must keep using it.',
    )
}

async function firstProfile(db: Database, { principal, profile, isPublished }: Claim, now: Date): Promise<string> {
  const bound = await sql<{ profile: string }>`
    insert into principals (principal, profile, first_seen, last_seen, published_at)
    values (${principal}, ${profile}, ${now}, ${now}, ${isPublished ? now : null})
    on conflict (principal) do update set
      last_seen = excluded.last_seen,
      published_at = case when principals.profile = excluded.profile
        then coalesce(excluded.published_at, principals.published_at) else principals.published_at end
    returning profile`.execute(db)
  return onlyRow(bound).profile
}

/**
 * The maximum number of former keys that the server reads for one platform profile, the newest first. A platform can
 * publish any number of keys.
 */
const MOST_FORMER = 100
const former = new WeakMap<PlatformProfile, Promise<string[]>>()

/**
 * Returns the principals (stored caller names) of the keys that a platform profile has ever published, up to
 * `MOST_FORMER`. Queries the database once for each fetched profile document.
 */
export function publishedBefore(db: Database, { url, profile }: Agent): Promise<string[]> {
  const known = former.get(profile) ?? readPublished(db, url)
  former.set(profile, known)
  known.catch(() => former.delete(profile))
  return known
}

async function readPublished(db: Database, url: string): Promise<string[]> {
  const { rows } = await sql<{ principal: string }>`
    select principal from principals where profile = ${url} and published_at is not null
    order by published_at desc limit ${MOST_FORMER}`.execute(db)
  return rows.map(({ principal }) => principal)
}

/**
 * After this many days without a call, the server may forget which platform profile a key belongs to. Holds, stored
 * replies and other data that belong only to the key end earlier.
 */
const UNSEEN_DAYS = 8
/**
 * The tables whose rows prevent the deletion of a key's binding to a profile, each with an SQL condition. Canceled
 * subscriptions and ended waitlist entries do not count, because a caller can create them at no cost.
 */
const lastingRows = {
  bookings: sql`true`,
  waitlist_entries: sql`o.status in ('waiting', 'offered')`,
  feed_subscriptions: sql`o.status <> 'canceled'`,
  registrations: sql`true`,
  replies: sql`true`,
}

/**
 * Deletes the profile bindings of unused keys, because a caller can create any number of keys. A key is unused if it
 * has made no call for `UNSEEN_DAYS` and owns no row of `lastingRows`. If the key returns later, the server treats it
 * as new.
 */
export async function deleteUnusedPrincipals(db: Database, now: Date): Promise<void> {
  const longAgo = new Date(now.getTime() - UNSEEN_DAYS * DAY)
  const owns = Object.entries(lastingRows).map(
    ([table, lasts]) => sql`exists (select from ${sql.table(table)} o where o.principal = p.principal and ${lasts})`,
  )
  const forget = sql`
    delete from principals where principal in (
      select principal from principals p
      where principal like 'key:%' and last_seen < ${longAgo}
        and not (${sql.join(owns, sql` or `)})
      order by last_seen limit ${BATCH} for update skip locked
    )`
  await deleteInBatches(() => forget.execute(db))
}

export const isPublished = (principal: string, { profile }: Agent): boolean => principalsOf(profile).has(principal)

/** Caches the principals (stored caller names) of the keys of each fetched platform profile. */
const principals = new WeakMap<PlatformProfile, Set<string>>()

export function principalsOf(profile: PlatformProfile): Set<string> {
  const known = principals.get(profile)
  if (known) return known
  const { keys = [], signing_keys = [] } = profile
  const thumbprints = [...keys, ...signing_keys].flatMap((jwk) => usableThumbprint(jwk) ?? [])
  const found = new Set(thumbprints.map((one) => `key:${one}`))
  principals.set(profile, found)
  return found
}
