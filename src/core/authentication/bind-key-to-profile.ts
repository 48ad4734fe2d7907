import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { type Database, onlyRow } from '../../infra/db/database.ts'
import { BATCH, deleteInBatches } from '../../infra/db/in-batches.ts'
import { DAY } from '../../infra/time/units.ts'
import type { Agent } from '../../protocol/caller.ts'
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
  /** When this process last updated the row of the principal, in milliseconds since 1970. */
  seen: number
  /** Whether the database row records that the profile published the key of the principal. */
  isPublished: boolean
}

/**
 * Caches the binding of each principal for one day. The database keeps the row of a principal for more than a day after
 * its last call, and the profile in the row never changes.
 */
const bindings = new WeakMap<Database, LRUCache<string, Binding>>()

/**
 * Binds a principal to the first profile that the principal names (trust on first use). Later refuses any other
 * profile. Several principals may name the same profile.
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

/** The most former keys of one profile that the server reads. The server reads the newest keys first. */
const MOST_FORMER = 100
const former = new WeakMap<PlatformProfile, Promise<string[]>>()

/**
 * Returns the principals of all keys that the profile has ever published. Queries the database once for each fetched
 * profile document.
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
 * Days from the last call of a principal until the server may delete its binding. Holds, stored replies and other data
 * that only the principal identifies end earlier.
 */
const UNSEEN_DAYS = 8
/**
 * The tables whose rows keep the binding of their principal, each with an SQL condition for the rows. Canceled
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
 * Deletes the bindings of unused keys, because a caller can create any number of keys. A key is unused if it has made
 * no call for `UNSEEN_DAYS` and owns no row of `lastingRows`. After the deletion, the server treats the key as new.
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

/** Caches the principals of the keys in each fetched profile document. */
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
