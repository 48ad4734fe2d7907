import { hasAccounts, policyOf } from '../../core/authentication/mechanisms.ts'
import { isLinkRequestOpen } from '../../core/tokens/oauth-state.ts'
import type { Dependencies } from '../../protocol/dependencies.ts'

/** Only our own pages. Any other target would make the sign-in an open redirect. */
const PAGES = /^\/(?:account|link\/(?<uid>[\w-]{1,64}))$/

/** The page to return to after signing in, if that page exists. */
export async function returnTo(
  path: string | null,
  { business, config, db, clock }: Dependencies<'business' | 'config' | 'db' | 'clock'>,
): Promise<string | undefined> {
  const found = path === null ? null : PAGES.exec(path)
  if (!found || !hasAccounts(policyOf(await business.get(), config))) return undefined
  const { uid } = found.groups ?? {}
  // After the authorization request has expired, its page leads nowhere.
  return uid === undefined || (await isLinkRequestOpen(db, uid, clock())) ? found[0] : undefined
}
