import type { FastifyReply, FastifyRequest } from 'fastify'
import { accountOfSession, accountSessionEnd, type SignedIn } from '../../accounts/account-sessions.ts'
import { ENTERED_SECONDS } from '../../accounts/enter-by-link.ts'
import type { Means } from '../../protocol/means.ts'
import { cookieOf } from '../pages/cookies.ts'

/** A browser takes a cookie of this name from this very host alone, so that no neighbour under the same domain can set it. */
const nameOf = ({ baseUrl }: Means<'config'>['config']) => (isSecure(baseUrl) ? '__Host-usp_my' : 'usp_my')

const isSecure = (baseUrl: string) => baseUrl.startsWith('https:')

/** Who came in by a link. */
export async function visitorOf(
  request: FastifyRequest,
  { db, clock, config }: Means<'db' | 'clock' | 'config'>,
): Promise<SignedIn | undefined> {
  const secret = cookieOf(request, nameOf(config))
  const account = secret === '' ? undefined : await accountOfSession(db, secret, clock())
  return account?.isVerified ? account : undefined
}

/** Gives the browser another session than it had, whoever that was of: its secret may be known to somebody else. */
export async function begin(
  secret: string,
  request: FastifyRequest,
  reply: FastifyReply,
  means: Means<'db' | 'config'>,
): Promise<void> {
  await end(request, means)
  keep(reply, secret, ENTERED_SECONDS, means.config)
}

export async function leave(
  request: FastifyRequest,
  reply: FastifyReply,
  means: Means<'db' | 'config'>,
): Promise<void> {
  await end(request, means)
  keep(reply, '', 0, means.config)
}

const end = (request: FastifyRequest, { db, config }: Means<'db' | 'config'>) =>
  accountSessionEnd(db, cookieOf(request, nameOf(config)))

/**
 * Lax, since people come from a mail or from a platform and are still who they are. For all pages: `/account` and `/link` know
 * them too.
 */
function keep(reply: FastifyReply, secret: string, seconds: number, config: Means<'config'>['config']): void {
  const secure = isSecure(config.baseUrl) ? '; Secure' : ''
  reply.header('set-cookie', `${nameOf(config)}=${secret}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`)
}
