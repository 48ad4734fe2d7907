import { sql } from 'kysely'
import { type Database, onlyRow } from '../../infra/db/database.ts'

export async function isKnownAddress(db: Database, email: string): Promise<boolean> {
  const found = await sql<{ known: boolean }>`
    select exists (select from bookings where lower(people #>> '{buyer,email}') = ${email} and search_text <> '')
      or exists (select from waitlist_entries where lower(buyer ->> 'email') = ${email})
      or exists (select from buyer_accounts where email = ${email}) as known`.execute(db)
  return onlyRow(found).known
}
