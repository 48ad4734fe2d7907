import { sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'

/**
 * Ends the accounts that anybody may have made under an address, now that it is known whose that is: their passwords, sessions,
 * and links to platforms with all tokens. What was booked with the address through them is its owner's, who sees it anyway. They are
 * not made over to the owner but deleted: their ids are known to whoever made them, and what is under way with one, such as a
 * sign-in or a grant, finds no account any more.
 */
export async function endUnproved(tx: Database, email: string, owner: string): Promise<void> {
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
