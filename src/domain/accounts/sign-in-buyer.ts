import { canMail } from '../../core/mails/build-queued-mails.ts'
import type { Message } from '../../infra/i18n/localizer.ts'
import { isEmail, LONGEST_EMAIL } from '../../infra/util/email-address.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { type AccountSession, accountSessionsEnd, sessionByLink, sessionByPassword } from './account-sessions.ts'
import { accountInsert, accountOfMailbox, normalizedEmail, passwordAsStored, passwordChoose } from './buyer-accounts.ts'
import { countSignInAttempt } from './count-sign-in-attempt.ts'
import { signInLinkUse } from './sign-in-links.ts'

export const SHORTEST_PASSWORD = 10
export const LONGEST = { email: LONGEST_EMAIL, password: 200 }

export const isPassword = ({ length }: string): boolean => length >= SHORTEST_PASSWORD && length <= LONGEST.password

export type SignInResult = { session: AccountSession } | { note: Message }

/**
 * Signs a buyer in with an email address and a password. If the server cannot send mail, this function also creates
 * accounts. The refusal is the same for an unknown account and for a wrong password. Therefore the answer does not
 * reveal whether an account exists.
 */
export async function signIn(
  form: URLSearchParams,
  address: string,
  dependencies: Dependencies<'db' | 'clock' | 'business' | 'limits' | 'config'>,
): Promise<SignInResult> {
  const { db, clock } = dependencies
  const email = normalizedEmail(form.get('email') ?? '')
  const password = form.get('password') ?? ''
  const isNew = form.get('do') === 'create' && !(await canMail(dependencies))
  if (isNew && !isEmail(form.get('email')?.trim() ?? '')) return { note: 'account.email.unusable' }
  if (isNew && !isPassword(password)) return { note: 'account.password.unusable' }
  await countSignInAttempt(dependencies, email, address)
  if (password.length > LONGEST.password || email.length > LONGEST.email) return { note: UNKNOWN }
  const now = clock()
  const stored = isNew ? await accountInsert(db, email, password, now) : await passwordAsStored(db, email, password)
  const session = await sessionByPassword(db, { email, password: stored }, now)
  return session ? { session } : { note: UNKNOWN }
}

const UNKNOWN = 'account.unknown'

/**
 * Signs a buyer in with a mailed sign-in link, which works only once. Returns a new session and the page to open. The
 * result is undefined if the link is not valid. If the buyer sets a new password, all earlier sessions of the account
 * end.
 */
export async function signInByLink(
  secret: string,
  password: string | undefined,
  { makeChange, clock }: Dependencies<'makeChange' | 'clock'>,
): Promise<{ session: AccountSession; returnTo: string | undefined } | undefined> {
  return makeChange(async (tx) => {
    const now = clock()
    const link = await signInLinkUse(tx, secret, now)
    if (!link) return undefined
    const id = await accountOfMailbox(tx, link.email, now)
    if (password !== undefined) {
      await passwordChoose(tx, { id, email: link.email }, password)
      await accountSessionsEnd(tx, id)
    }
    return { session: await sessionByLink(tx, id, now), returnTo: link.return_to ?? undefined }
  })
}
