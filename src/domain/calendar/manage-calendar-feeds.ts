import { newSecret } from '../../core/keys/encrypt-secrets.ts'
import { insertAuditEntry } from '../../core/records/audit-log.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { newId } from '../../infra/util/random-bytes.ts'
import { type FeedRow, feedDelete, feedInsert } from './queries.ts'

export interface FeedActor {
  actor: string
  staff: string | null
}

/**
 * Creates a calendar feed (a calendar that calendar programs read again and again) for one person or room, or for the
 * whole business. Returns the secret token in the web address of the feed. The database stores only a digest (hash) of
 * the token.
 */
export async function createFeed(tx: UnitOfWork, resource: string | null, { actor, staff }: FeedActor, now: Date) {
  const feed: FeedRow = { id: newId('cal'), resource_id: resource, staff_id: staff, created_at: now }
  const token = newSecret('ics')
  await feedInsert(tx, feed, token)
  insertAuditEntry(tx, { actor, action: 'create', subject: `calendar ${feed.id}`, from: null, to: null }, now)
  return { feed, token }
}

export async function revokeFeed(
  tx: UnitOfWork,
  id: string,
  { actor }: Pick<FeedActor, 'actor'>,
  now: Date,
): Promise<FeedRow | undefined> {
  const feed = await feedDelete(tx, id)
  if (feed) insertAuditEntry(tx, { actor, action: 'revoke', subject: `calendar ${id}`, from: null, to: null }, now)
  return feed
}

/**
 * The path of calendar feeds. A feed is not an operation of the API, because calendar programs read it, and not
 * platforms.
 */
export const FEED_PATH = '/calendar/:token.ics'

/** The secret web address of a calendar feed. Each person who knows the web address can read the calendar. */
export const feedUrl = (baseUrl: string, token: string): string => baseUrl + FEED_PATH.replace(':token', token)
