import { sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'
import { newId } from '../../infra/util/random-bytes.ts'
import { hashPassword, newSalt } from './hash-passwords.ts'
import { signInLinksErase } from './sign-in-links.ts'

/**
 * The account of a buyer. An account is verified if the buyer has proved that the email address is theirs. Without such
 * a proof, any person can create only an unverified account.
 */
export interface BuyerAccount {
  id: string
  /** The buyer's email address, in lower case. */
  email: string
  isVerified: boolean
}

export const normalizedEmail = (email: string): string => email.trim().toLowerCase()

/**
 * Creates an unverified account, and returns the hash of its password. The server uses this function only if it cannot
 * send mail. Several accounts can have the same email address. If the server refused a second account, the refusal
 * would reveal the first one. A second call with the same email address and password creates no second account.
 */
export async function accountInsert(db: Database, email: string, password: string, now: Date): Promise<string> {
  const stored = await hashPassword(password, await saltOf(db, email))
  await db
    .insertInto('buyer_accounts')
    .values({ id: newId('buy'), email, password: stored, created_at: now })
    .onConflict((conflict) => conflict.columns(['email', 'password']).doNothing())
    .execute()
  return stored
}

/**
 * Returns the id of the verified account with this email address. If there is no such account, the server creates it.
 * The server also deletes the unverified accounts with this email address. Call this function only after the buyer has
 * proved that the email address is theirs.
 */
export async function accountOfMailbox(tx: Database, email: string, now: Date): Promise<string> {
  await saltOf(tx, email)
  const { id } = await tx
    .insertInto('buyer_accounts')
    .values({ id: newId('buy'), email, password: null, created_at: now, verified_at: now })
    .onConflict((conflict) => conflict.column('email').where('verified_at', 'is not', null).doUpdateSet({ email }))
    .returning('id')
    .executeTakeFirstOrThrow()
  await deleteUnverifiedAccounts(tx, email, id)
  return id
}

/**
 * Stores the hash of a new password. A parallel sign-in with the old password either finishes before the change or
 * fails.
 */
export async function passwordChoose(tx: Database, { id, email }: { id: string; email: string }, password: string) {
  const stored = await hashPassword(password, await saltOf(tx, email))
  await tx.updateTable('buyer_accounts').set({ password: stored }).where('id', '=', id).execute()
}

/**
 * Returns the salt (random text) for the password hashes of one email address, and stores a new salt if there is none.
 * All accounts with the same email address share one salt.
 */
async function saltOf(db: Database, email: string): Promise<string> {
  const { salt } = await db
    .insertInto('buyer_addresses')
    .values({ email, salt: newSalt() })
    .onConflict((conflict) => conflict.column('email').doUpdateSet({ salt: sql`buyer_addresses.salt` }))
    .returning('salt')
    .executeTakeFirstOrThrow()
  return salt
}

/**
 * Computes the hash of a password with the salt of the email address. For an unknown email address, the server uses a
 * new salt. The call then takes equally long, and does not reveal which email addresses have accounts.
 */
export async function passwordAsStored(db: Database, email: string, password: string): Promise<string> {
  const known = await db.selectFrom('buyer_addresses').select('salt').where('email', '=', email).executeTakeFirst()
  return hashPassword(password, known?.salt ?? newSalt())
}

/**
 * Tells whether the verified account with this email address has a password. Also tells whether unverified accounts
 * with this email address exist. The page behind a sign-in link shows the answers to the buyer.
 */
export async function accountsUnder(db: Database, email: string) {
  const rows = await db
    .selectFrom('buyer_accounts')
    .select(['password', 'verified_at'])
    .where('email', '=', email)
    .execute()
  return {
    hasPassword: rows.some(({ password, verified_at }) => verified_at !== null && password !== null),
    hasUnproved: rows.some(({ verified_at }) => verified_at === null),
  }
}

export async function addressOfAccount(db: Database, id: string): Promise<string | undefined> {
  const found = await db.selectFrom('buyer_accounts').select('email').where('id', '=', id).executeTakeFirst()
  return found?.email
}

export async function isAccount(db: Database, id: string): Promise<boolean> {
  const found = await db.selectFrom('buyer_accounts').select('id').where('id', '=', id).executeTakeFirst()
  return found !== undefined
}

/**
 * Deletes all accounts with this email address, and the permissions that these accounts gave to platforms. The server
 * deletes the sign-in links first, because an unused sign-in link can create a new account.
 */
export async function accountErase(tx: Database, email: string): Promise<void> {
  await signInLinksErase(tx, normalizedEmail(email))
  await tx.deleteFrom('buyer_addresses').where('email', '=', normalizedEmail(email)).execute()
}

/**
 * Deletes the unverified accounts with an email address after a buyer has verified this email address. The passwords,
 * sessions and tokens of the deleted accounts end too. Their bookings and waitlist entries with the same email address
 * move to the verified account `owner`. The verified account never gets the id of an unverified account, because other
 * people may know that id.
 */
async function deleteUnverifiedAccounts(tx: Database, email: string, owner: string): Promise<void> {
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
