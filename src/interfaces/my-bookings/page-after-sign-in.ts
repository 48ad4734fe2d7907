import { hasAccounts, policyOf } from '../../core/authentication/authentication-policy.ts'
import { isLinkRequestOpen } from '../../core/tokens/stored-oauth-state.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'

/**
 * The paths to which a sign-in may lead, which are all on this server. With a path to another site, an attacker could
 * redirect people to that site (open redirect).
 */
const PAGES = /^\/(?:account|link\/(?<uid>[\w-]{1,64}))$/

/**
 * Returns the path of the page that opens after the sign-in. Returns undefined if the path is not allowed, or if its
 * page no longer exists.
 */
export async function returnTo(
  path: string | null,
  { business, config, db, clock }: Dependencies<'business' | 'config' | 'db' | 'clock'>,
): Promise<string | undefined> {
  const found = path === null ? null : PAGES.exec(path)
  if (!found || !hasAccounts(policyOf(await business.get(), config))) return undefined
  const { uid } = found.groups ?? {}
  // The page of an authorization request exists only until the request expires.
  return uid === undefined || (await isLinkRequestOpen(db, uid, clock())) ? found[0] : undefined
}
