import { type Selectable, sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { FeedSubscriptions } from '../db/schema.generated.ts'
import { present } from '../present.ts'
import type { Caller } from '../protocol/operation.ts'
import type { CreateFeedSubscription, FeedSubscription } from '../protocol/types.generated.ts'
import type { Status } from './lifecycle.ts'

type Row = Selectable<FeedSubscriptions>
type Wish = Pick<CreateFeedSubscription['input'], 'categories' | 'events'>

interface NewSubscription {
  id: string
  callback_url: string
  categories: Wish['categories']
  events: Wish['events']
  caller: Caller
  now: Date
}

/** Stores an active subscription that begins at the present end of the feed; nothing without a business to follow. */
export async function subscriptionInsert(db: Database, wish: NewSubscription): Promise<FeedSubscription | undefined> {
  const { id, callback_url, categories, events, caller, now } = wish
  const { rows } = await sql<Row>`
    insert into feed_subscriptions
      (id, principal, profile, callback_url, categories, events, status, position_modified_at, position_id, created_at)
    select ${id}, ${caller.principal}, ${caller.profile}, ${callback_url}, ${categories ?? null}::text[],
           ${events ?? null}::text[], 'active', b.catalogue_modified_at, coalesce(last.id, ''), ${now}
    from business b
    left join lateral (select s.id from services s where s.modified_at = b.catalogue_modified_at order by s.id desc limit 1) last on true
    returning *`.execute(db)
  return rows[0] && wireForm(rows[0])
}

export async function subscriptionOf(db: Database, id: string, caller: Caller): Promise<FeedSubscription | undefined> {
  const row = await owned(db, id, caller).executeTakeFirst()
  return row && wireForm(row)
}

/** The same, held until the transaction ends. */
export async function subscriptionLock(
  db: Database,
  id: string,
  caller: Caller,
): Promise<FeedSubscription | undefined> {
  const row = await owned(db, id, caller).forUpdate().executeTakeFirst()
  return row && wireForm(row)
}

export async function subscriptionSetStatus(db: Database, id: string, status: Status): Promise<FeedSubscription> {
  const row = await db
    .updateTable('feed_subscriptions')
    .set({ status })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return wireForm(row)
}

const owned = (db: Database, id: string, { identities, profile }: Caller) =>
  db
    .selectFrom('feed_subscriptions')
    .selectAll()
    .where('id', '=', id)
    .where('principal', 'in', identities)
    .where('profile', '=', profile)

const wireForm = ({ id, callback_url, categories, events, status, created_at }: Row): FeedSubscription =>
  present({
    id,
    callback_url,
    categories: categories ?? undefined,
    events: (events as FeedSubscription['events']) ?? undefined,
    status: status as Status,
    created_at: created_at.toISOString(),
  })
