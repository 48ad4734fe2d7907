import { sql } from 'kysely'
import type { Database } from '../../../infra/db/database.ts'
import type { RegistryEntry } from '../../../protocol/types.generated.ts'

export interface SubscribedBusiness {
  id: string
  profile_url: string
  deployment_mode: RegistryEntry['deployment_mode']
  endpoint: string
  subscription_id: string | null
}

/** Reserves the check of a subscription for this server if the check is due. No other server then makes the check. */
export async function subscriptionCheckClaim(
  db: Database,
  id: string,
  now: Date,
  next: Date,
): Promise<SubscribedBusiness | undefined> {
  const { rows } = await sql<SubscribedBusiness>`
    update registrations set subscribe_at = ${next}
    where id = ${id} and endpoint is not null and subscribe_at <= ${now}
    returning id, profile_url, deployment_mode, endpoint, subscription_id`.execute(db)
  return rows[0]
}

/**
 * Stores a new subscription to the changes of a catalogue. The server then reads the catalogue again, because it got no
 * notices before the subscription. If the business has changed its endpoint since the request to subscribe, the server
 * will cancel the subscription, because it belongs to the old endpoint.
 */
export async function subscriptionStore(
  db: Database,
  { id, endpoint }: SubscribedBusiness,
  subscriptionId: string,
): Promise<void> {
  await sql`
    with kept as (
      update registrations set subscription_id = ${subscriptionId}, notices = notices + 1
      where id = ${id} and endpoint = ${endpoint} returning id
    )
    insert into unwanted_subscriptions (endpoint, subscription_id)
    select ${endpoint}, ${subscriptionId} where not exists (select from kept)`.execute(db)
}

export async function subscriptionClear(db: Database, { id, subscription_id }: SubscribedBusiness): Promise<void> {
  await db
    .updateTable('registrations')
    .set({ subscription_id: null })
    .where('id', '=', id)
    .where('subscription_id', '=', subscription_id)
    .execute()
}

export interface Unwanted {
  number: string
  endpoint: string
  subscription_id: string
  attempts: number
}

/**
 * Takes one subscription from the queue of cancellations. Also schedules the next attempt, in case this attempt fails.
 */
export async function unwantedClaim(db: Database): Promise<Unwanted | undefined> {
  const { rows } = await sql<Unwanted>`
    update unwanted_subscriptions set attempts = attempts + 1, next_at = now() + interval '1 minute' * power(5, attempts)
    where number = (
      select number from unwanted_subscriptions where next_at <= now() order by next_at limit 1 for update skip locked
    ) returning number, endpoint, subscription_id, attempts`.execute(db)
  return rows[0]
}

export async function unwantedDelete(db: Database, { number }: Unwanted): Promise<void> {
  await db.deleteFrom('unwanted_subscriptions').where('number', '=', number).execute()
}

export async function profileUrlOf(db: Database, id: string): Promise<string | undefined> {
  const row = await db.selectFrom('registrations').select('profile_url').where('id', '=', id).executeTakeFirst()
  return row?.profile_url
}

/** Records that a business announced a change of its catalogue. The directory then reads the catalogue soon. */
export async function noticeRecord(db: Database, id: string): Promise<void> {
  await sql`update registrations set notices = notices + 1 where id = ${id}`.execute(db)
}
