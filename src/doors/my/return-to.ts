import { policyOf } from '../../authentication/mechanisms.ts'
import type { Means } from '../../protocol/means.ts'

/** Pages of ours alone: were any other taken, people who have just signed in could be sent anywhere. */
const PAGES = /^\/(?:account|link\/[\w-]{1,64})$/

/** The page that somebody wanted to sign in on, where there are such pages. */
export async function returnTo(
  wish: string | null,
  { business, config }: Means<'business' | 'config'>,
): Promise<string | undefined> {
  if (wish === null || !PAGES.test(wish)) return undefined
  return policyOf(await business.get(), config).linking ? wish : undefined
}
