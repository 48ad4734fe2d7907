import type { Database } from '../db/database.ts'
import { newId } from '../new-id.ts'
import { hashPassword, isPassword } from './passwords.ts'

export interface BuyerAccount {
  id: string
  name: string
}

export const sameEmail = (email: string): string => email.trim().toLowerCase()

/** Nothing where the address has an account already. */
export async function accountInsert(
  db: Database,
  { email, name, password }: { email: string; name: string; password: string },
  now: Date,
): Promise<string | undefined> {
  const row = { id: newId('buy'), email: sameEmail(email), name, password: await hashPassword(password) }
  const made = await db
    .insertInto('buyer_accounts')
    .values({ ...row, created_at: now })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst()
  return made?.id
}

/** Compared with where there is no account, so that an unknown address takes as long as a wrong password. */
let nobodys: Promise<string> | undefined

export async function accountOfPassword(db: Database, email: string, password: string): Promise<string | undefined> {
  nobodys ??= hashPassword('')
  const found = await db
    .selectFrom('buyer_accounts')
    .select(['id', 'password'])
    .where('email', '=', sameEmail(email))
    .executeTakeFirst()
  const isRight = await isPassword(password, found?.password ?? (await nobodys))
  return isRight ? found?.id : undefined
}

export async function accountFind(db: Database, id: string): Promise<BuyerAccount | undefined> {
  return db.selectFrom('buyer_accounts').select(['id', 'name']).where('id', '=', id).executeTakeFirst()
}

/** Its links end with it. */
export async function accountErase(tx: Database, email: string): Promise<void> {
  await tx.deleteFrom('buyer_accounts').where('email', '=', sameEmail(email)).execute()
}
