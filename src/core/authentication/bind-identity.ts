import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Database } from '../../infra/db/database.ts'
import { BATCH, inBatches } from '../../infra/db/in-batches.ts'
import { onlyRow } from '../../infra/db/only-row.ts'
import { DAY } from '../../infra/time/units.ts'
import type { Agent } from '../../protocol/caller.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { PlatformProfile } from '../../protocol/types.generated.ts'

/** What a caller says: its key, its profile, and whether that profile publishes the key. */
interface Claim {
  principal: string
  profile: string
  isPublished: boolean
}

interface Binding {
  profile: string
  /** When it was last written down that somebody came with it. */
  seen: number
  /** Whether it is written down that the profile published the key. */
  isPublished: boolean
}

/** A binding never changes while it is kept, and it is kept for longer than a day after it was last seen. */
const bindings = new WeakMap<Database, LRUCache<string, Binding>>()

/**
 * Trust on first use: the first profile a principal names is its own from then on. Many principals may share one
 * profile; none may change its own.
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
      'This caller named another platform profile before, and must keep to it.',
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

/** So many of the keys that called while the profile published them, the newest first. */
const MOST_FORMER = 100
const former = new WeakMap<PlatformProfile, Promise<string[]>>()

/** Asked once for each profile that was fetched. */
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

/** Longer than anything lasts that is told by the principal alone, such as a hold or an answer for who asks again. */
const UNSEEN_DAYS = 8
/** What keeps a binding. To subscribe and cancel, or to wait and leave, costs nothing either. */
const owned = {
  bookings: sql`true`,
  waitlist_entries: sql`o.status in ('waiting', 'offered')`,
  feed_subscriptions: sql`o.status <> 'canceled'`,
  registrations: sql`true`,
  replies: sql`true`,
}

/**
 * A key costs nothing, so its binding is not kept for ever: whoever was not seen for long and has nothing here is as new
 * as one that never called. Whatever lasts and belongs to a principal keeps its binding.
 */
export async function forgetOldPrincipals(db: Database, now: Date): Promise<void> {
  const longAgo = new Date(now.getTime() - UNSEEN_DAYS * DAY)
  const owns = Object.entries(owned).map(
    ([table, lasts]) => sql`exists (select from ${sql.table(table)} o where o.principal = p.principal and ${lasts})`,
  )
  const forget = sql`
    delete from principals where principal in (
      select principal from principals p
      where principal like 'key:%' and last_seen < ${longAgo}
        and not (${sql.join(owns, sql` or `)})
      order by last_seen limit ${BATCH} for update skip locked
    )`
  await inBatches(() => forget.execute(db))
}
