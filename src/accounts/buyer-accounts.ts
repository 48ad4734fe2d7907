import { sql } from 'kysely'
import { newId } from '../basics/new-id.ts'
import type { Database } from '../db/database.ts'
import { hashPassword, newSalt } from './passwords.ts'
import { signInLinksErase } from './sign-in-links.ts'

export interface BuyerAccount {
  id: string
  name: string
}

export const sameEmail = (email: string): string => email.trim().toLowerCase()

/**
 * A new account, whoever else has one under the address: nobody verified whose it is, and to refuse would tell that there
 * is one. With the password of one that is there already it is that one.
 */
export async function accountInsert(
  db: Database,
  { email, name, password }: { email: string; name: string; password: string },
  now: Date,
): Promise<string> {
  const address = sameEmail(email)
  const salt = await saltOf(db, address)
  const row = { id: newId('buy'), email: address, name, password: await hashPassword(password, salt) }
  const { id } = await db
    .insertInto('buyer_accounts')
    .values({ ...row, created_at: now })
    .onConflict((conflict) => conflict.columns(['email', 'password']).doUpdateSet({ email: address }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/**
 * The account that an address owns, for whoever has shown that it is theirs. It is none of those with a password: anybody may have
 * made them, and their makers would share what is in it.
 */
export async function verifiedAccount(tx: Database, address: string, now: Date): Promise<string> {
  await saltOf(tx, address)
  const row = { id: newId('buy'), email: address, name: address, password: null }
  const { id } = await tx
    .insertInto('buyer_accounts')
    .values({ ...row, created_at: now, verified_at: now })
    .onConflict((conflict) =>
      conflict.column('email').where('verified_at', 'is not', null).doUpdateSet({ email: address }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** That of the address, which has one from its first account on. */
async function saltOf(db: Database, address: string): Promise<string> {
  const { salt } = await db
    .insertInto('buyer_addresses')
    .values({ email: address, salt: newSalt() })
    .onConflict((conflict) => conflict.column('email').doUpdateSet({ salt: sql`buyer_addresses.salt` }))
    .returning('salt')
    .executeTakeFirstOrThrow()
  return salt
}

/** Of the accounts under an address the one that the password opens. An unknown address takes as long as a wrong password. */
export async function accountOfPassword(db: Database, email: string, password: string): Promise<string | undefined> {
  const address = sameEmail(email)
  const known = await db.selectFrom('buyer_addresses').select('salt').where('email', '=', address).executeTakeFirst()
  const found = await db
    .selectFrom('buyer_accounts')
    .select('id')
    .where('email', '=', address)
    .where('password', '=', await hashPassword(password, known?.salt ?? newSalt()))
    .executeTakeFirst()
  return found?.id
}

export async function accountFind(db: Database, id: string): Promise<BuyerAccount | undefined> {
  return db.selectFrom('buyer_accounts').select(['id', 'name']).where('id', '=', id).executeTakeFirst()
}

/** All under the address, and their links with them. First of all nobody can make another by a link that is on its way. */
export async function accountErase(tx: Database, email: string): Promise<void> {
  await signInLinksErase(tx, sameEmail(email))
  await tx.deleteFrom('buyer_addresses').where('email', '=', sameEmail(email)).execute()
}
