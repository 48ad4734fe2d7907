import { newSecret } from '../../core/keys/secrets.ts'
import { changeInsert } from '../../core/records/audit-log.ts'
import type { Change } from '../../infra/db/change.ts'
import { newId } from '../../infra/util/new-id.ts'
import { type FeedRow, feedDelete, feedInsert } from './queries.ts'

export interface Maker {
  actor: string
  staff: string | null
}

/**
 * Creates a calendar of a resource or of the whole business. Returns the secret of its URL; the database stores only a
 * digest.
 */
export async function makeFeed(tx: Change, resource: string | null, { actor, staff }: Maker, now: Date) {
  const feed: FeedRow = { id: newId('cal'), resource_id: resource, staff_id: staff, created_at: now }
  const token = newSecret('ics')
  await feedInsert(tx, feed, token)
  changeInsert(tx, { actor, action: 'create', subject: `calendar ${feed.id}`, from: null, to: null }, now)
  return { feed, token }
}

export async function endFeed(
  tx: Change,
  id: string,
  { actor }: Pick<Maker, 'actor'>,
  now: Date,
): Promise<FeedRow | undefined> {
  const feed = await feedDelete(tx, id)
  if (feed) changeInsert(tx, { actor, action: 'revoke', subject: `calendar ${id}`, from: null, to: null }, now)
  return feed
}
