import { isEmail, LONGEST_EMAIL } from '../basics/email-address.ts'
import type { Message } from '../languages/catalogue.ts'
import type { Means } from '../protocol/means.ts'
import { accountInsert, accountOfPassword, sameEmail } from './buyer-accounts.ts'
import { countSignInAttempt } from './count-sign-in-attempt.ts'

export const SHORTEST_PASSWORD = 10
export const LONGEST = { email: LONGEST_EMAIL, name: 200, password: 200 }

/** The account, or what to tell who could not be let in. */
export type SignInResult = { account: string } | { note: Message }

/**
 * Lets a buyer in by password, or makes an account. It says no to all alike who have no account or the wrong password, and
 * yes to all alike who want a new one.
 */
export async function signIn(
  form: URLSearchParams,
  address: string,
  means: Means<'db' | 'clock' | 'business' | 'limits'>,
): Promise<SignInResult> {
  const { db, clock } = means
  const email = sameEmail(form.get('email') ?? '')
  const password = form.get('password') ?? ''
  const name = form.get('name')?.trim() ?? ''
  const isNew = form.get('do') === 'create'
  const note = isNew ? unusable(email, name, password) : undefined
  if (note !== undefined) return { note }
  await countSignInAttempt(means, email, address)
  if (password.length > LONGEST.password || email.length > LONGEST.email) return { note: UNKNOWN }
  const account = isNew
    ? await accountInsert(db, { email, name, password }, clock())
    : await accountOfPassword(db, email, password)
  return account === undefined ? { note: UNKNOWN } : { account }
}

const UNKNOWN = 'account.unknown'

function unusable(email: string, name: string, password: string): Message | undefined {
  if (!isEmail(email)) return 'account.email.unusable'
  if (name === '' || name.length > LONGEST.name) return 'account.name.unusable'
  if (password.length < SHORTEST_PASSWORD || password.length > LONGEST.password) return 'account.password.unusable'
  return undefined
}
