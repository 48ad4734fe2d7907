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
  /** The time when this process last recorded a call of the caller in the database, in milliseconds since 1970. */
  seen: number
  /**
   * Whether the database already records that the platform profile has published the caller's key. If true, the server
   * writes nothing more for this caller within a day.
   */
  isPublished: boolean
}

/**
 * Caches for one day which platform profile belongs to each caller. The cached value cannot become wrong, because the
 * database never changes the profile of a caller and stores it for more than a day.
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
 * The maximum number of published keys that the server reads from the database for one platform profile, the newest
 * first. The limit is necessary, because a platform can publish any number of keys.
 */
const MOST_FORMER = 100
const former = new WeakMap<PlatformProfile, Promise<string[]>>()

/**
 * Returns the stored caller names (principals) of the keys that the platform profile has published at any time. Returns
 * at most `MOST_FORMER` names. The function queries the database once for each fetched version of the profile.
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
 * If a caller sends no call for this number of days, the server may forget the platform profile of the caller's key.
 * All data that belong only to this key, such as holds and stored replies, end earlier.
 */
const UNSEEN_DAYS = 8
/**
 * Tables with rows that callers own. While a key owns such a row, the server does not forget the platform profile of
 * the key. The SQL conditions leave out canceled subscriptions and ended waitlist entries, because a caller can create
 * these at no cost.
 */
const lastingRows = {
  bookings: sql`true`,
  waitlist_entries: sql`o.status in ('waiting', 'offered')`,
  feed_subscriptions: sql`o.status <> 'canceled'`,
  registrations: sql`true`,
  replies: sql`true`,
}

/**
 * Deletes unused keys of callers, because a caller can create any number of keys. A key is unused if it has sent no
 * call for `UNSEEN_DAYS` and owns no row in the tables `lastingRows`. If a deleted key sends a call again, the server
 * treats the key as new.
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

/** Caches the stored caller names (principals) that belong to the keys of each fetched platform profile. */
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
