import { sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'
import { newId } from '../../infra/util/new-id.ts'
import { hashPassword, newSalt } from './passwords.ts'
import { signInLinksErase } from './sign-in-links.ts'
import { endUnproved } from './unproved-accounts.ts'

/** An account is whose mailbox it is. Until somebody has shown that the address is theirs, nobody knows who made it. */
export interface BuyerAccount {
  id: string
  /** In lower case. */
  email: string
  isVerified: boolean
}

export const sameEmail = (email: string): string => email.trim().toLowerCase()

/**
 * A new account where no mail can show whose the address is, whoever else has one under it: to refuse would tell that there
 * is one. With the password of one that is there already it is that one. Gives the password as it is stored.
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

/** The one account of an address, for whoever has shown that it is theirs. What was made under it before ends. */
export async function accountOfMailbox(tx: Database, email: string, now: Date): Promise<string> {
  await saltOf(tx, email)
  const { id } = await tx
    .insertInto('buyer_accounts')
    .values({ id: newId('buy'), email, password: null, created_at: now, verified_at: now })
    .onConflict((conflict) => conflict.column('email').where('verified_at', 'is not', null).doUpdateSet({ email }))
    .returning('id')
    .executeTakeFirstOrThrow()
  await endUnproved(tx, email, id)
  return id
}

/** Who signs in by the one before at this moment has been there first, or finds it gone. */
export async function passwordChoose(tx: Database, { id, email }: { id: string; email: string }, password: string) {
  const stored = await hashPassword(password, await saltOf(tx, email))
  await tx.updateTable('buyer_accounts').set({ password: stored }).where('id', '=', id).execute()
}

/** That of the address, which has one from its first account on. */
async function saltOf(db: Database, email: string): Promise<string> {
  const { salt } = await db
    .insertInto('buyer_addresses')
    .values({ email, salt: newSalt() })
    .onConflict((conflict) => conflict.column('email').doUpdateSet({ salt: sql`buyer_addresses.salt` }))
    .returning('salt')
    .executeTakeFirstOrThrow()
  return salt
}

/** A password as it is stored if it opens an account under the address. With an unknown address that takes as long. */
export async function passwordAsStored(db: Database, email: string, password: string): Promise<string> {
  const known = await db.selectFrom('buyer_addresses').select('salt').where('email', '=', email).executeTakeFirst()
  return hashPassword(password, known?.salt ?? newSalt())
}

/** What whoever opens a link of an address is to know: that it has a password, and that there is one which anybody may have made. */
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

/** All under the address, and their links with them. First of all nobody can make another by a link that is on its way. */
export async function accountErase(tx: Database, email: string): Promise<void> {
  await signInLinksErase(tx, sameEmail(email))
  await tx.deleteFrom('buyer_addresses').where('email', '=', sameEmail(email)).execute()
}
