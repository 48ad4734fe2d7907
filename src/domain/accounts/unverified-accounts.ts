import { sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'

/**
 * Deletes the unverified accounts under an address once its owner is known, with their passwords, sessions, platform links
 * and tokens. Bookings and waitlist entries with this address pass to the owner. The accounts themselves do not pass to
 * the owner, because their makers know the ids. A sign-in or grant in progress then finds no account.
 */
export async function deleteUnverifiedAccounts(tx: Database, email: string, owner: string): Promise<void> {
  const rows = await tx
    .selectFrom('buyer_accounts')
    .select('id')
    .where('email', '=', email)
    .where('verified_at', 'is', null)
    .forUpdate()
    .execute()
  if (rows.length === 0) return
  const ids = rows.map(({ id }) => id)
  await sql`
    update bookings set buyer_account = ${owner}
    where lower(people #>> '{buyer,email}') = ${email} and search_text <> '' and buyer_account = any (${ids}::text[])`.execute(
    tx,
  )
  await sql`
    update waitlist_entries set principal = split_part(principal, '/', 1) || '/' || ${owner}
    where lower(buyer ->> 'email') = ${email} and principal like 'client:%'
      and split_part(principal, '/', 2) = any (${ids}::text[])`.execute(tx)
  await tx.deleteFrom('buyer_accounts').where('id', 'in', ids).execute()
}
