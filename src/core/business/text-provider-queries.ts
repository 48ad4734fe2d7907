import { sql } from 'kysely'
import type { StoredTextProvider } from '../../infra/config/text-provider.ts'
import type { Database, Tx } from '../../infra/db/database.ts'

/** Lets only one transaction at a time change or test the provider of text messages, until the transaction ends. */
export async function textProviderLock(tx: Tx): Promise<void> {
  await sql`lock table text_provider in share row exclusive mode`.execute(tx)
}

/** Returns the number of the last change of the provider of text messages. Returns null if none is stored. */
export async function textProviderRevision(db: Database): Promise<string | null> {
  const { rows } = await sql<{ revision: string }>`select revision from text_provider`.execute(db)
  return rows[0]?.revision ?? null
}

export async function storedTextProvider(db: Database): Promise<StoredTextProvider | undefined> {
  const { rows } = await sql<StoredTextProvider>`
    select adapter, url, account, sender, secret, countries, topics, quiet_from, quiet_until, daily_limit,
      price::text as price
    from text_provider`.execute(db)
  return rows[0]
}

/**
 * Replaces the stored provider of text messages. The transaction must hold the lock of the table. Each new row gets a
 * new revision, which shows other processes the change.
 */
export async function textProviderReplace(tx: Tx, provider: StoredTextProvider): Promise<void> {
  await textProviderDelete(tx)
  const { adapter, url, account, sender, secret, countries, topics } = provider
  const { quiet_from, quiet_until, daily_limit, price } = provider
  await sql`
    insert into text_provider
      (adapter, url, account, sender, secret, countries, topics, quiet_from, quiet_until, daily_limit, price)
    values (${adapter}, ${url}, ${account}, ${sender}, ${secret}, ${countries}::text[], ${topics}::text[], ${quiet_from},
      ${quiet_until}, ${daily_limit}, ${price}::numeric)`.execute(tx)
}

export async function textProviderDelete(tx: Tx): Promise<void> {
  await sql`delete from text_provider`.execute(tx)
}
