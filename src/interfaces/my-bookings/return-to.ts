import { hasAccounts, policyOf } from '../../core/authentication/mechanisms.ts'
import { isLinkAsked } from '../../core/tokens/oauth-state.ts'
import type { Means } from '../../protocol/means.ts'

/** Pages of ours alone: were any other taken, people who have just signed in could be sent anywhere. */
const PAGES = /^\/(?:account|link\/(?<uid>[\w-]{1,64}))$/

/** The page that somebody wanted to sign in on, where there is such a page. */
export async function returnTo(
  wish: string | null,
  { business, config, db, clock }: Means<'business' | 'config' | 'db' | 'clock'>,
): Promise<string | undefined> {
  const found = wish === null ? null : PAGES.exec(wish)
  if (!found || !hasAccounts(policyOf(await business.get(), config))) return undefined
  const { uid } = found.groups ?? {}
  // Whoever comes back later than a platform waits would come to nothing.
  return uid === undefined || (await isLinkAsked(db, uid, clock())) ? found[0] : undefined
}
