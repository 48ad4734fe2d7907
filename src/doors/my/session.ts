import type { FastifyReply, FastifyRequest } from 'fastify'
import { type AccountSession, accountOfSession, accountSessionEnd } from '../../accounts/account-sessions.ts'
import type { BuyerAccount } from '../../accounts/buyer-accounts.ts'
import type { Means } from '../../protocol/means.ts'
import { cookieOf } from '../pages/cookies.ts'

/** A browser takes a cookie of this name from this very host alone, so that no neighbour under the same domain can set it. */
const nameOf = ({ baseUrl }: Means<'config'>['config']) => (isSecure(baseUrl) ? '__Host-usp_my' : 'usp_my')

const isSecure = (baseUrl: string) => baseUrl.startsWith('https:')

/** Who is signed in, by a link or by a password. */
export async function visitorOf(
  request: FastifyRequest,
  { db, clock, config }: Means<'db' | 'clock' | 'config'>,
): Promise<BuyerAccount | undefined> {
  const secret = cookieOf(request, nameOf(config))
  return secret === '' ? undefined : accountOfSession(db, secret, clock())
}

/** Gives the browser another session than it had, whoever that was of: its secret may be known to somebody else. */
export async function begin(
  { secret, seconds }: AccountSession,
  request: FastifyRequest,
  reply: FastifyReply,
  means: Means<'db' | 'config'>,
): Promise<void> {
  await end(request, means)
  keep(reply, secret, seconds, means.config)
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
