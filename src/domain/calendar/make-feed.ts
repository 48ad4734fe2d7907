import { newSecret } from '../../core/keys/secrets.ts'
import { changeInsert } from '../../core/records/audit-log.ts'
import type { Change } from '../../infra/db/change.ts'
import { newId } from '../../infra/util/new-id.ts'
import { type FeedRow, feedDelete, feedInsert } from './queries.ts'

/** Who makes or ends a calendar. */
export interface Maker {
  actor: string
  staff: string | null
}

/** A new calendar of a resource, or of the whole business, and the secret of its address, which is kept nowhere. */
export async function makeFeed(tx: Change, resource: string | null, { actor, staff }: Maker, now: Date) {
  const feed: FeedRow = { id: newId('cal'), resource_id: resource, staff_id: staff, created_at: now }
  const token = newSecret('ics')
  await feedInsert(tx, feed, token)
  changeInsert(tx, { actor, action: 'create', subject: `calendar ${feed.id}`, from: null, to: null }, now)
  return { feed, token }
}

/** Its address leads nowhere from now on. */
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
