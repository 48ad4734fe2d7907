import type { FastifyReply, FastifyRequest } from 'fastify'
import { type AccountSession, accountOfSession, accountSessionEnd } from '../../domain/accounts/account-sessions.ts'
import type { BuyerAccount } from '../../domain/accounts/buyer-accounts.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { ownCookie } from '../pages/cookies.ts'

/** The cookie of the buyer's browser session. The pages at `/account` and `/link` use the same cookie. */
const cookie = ownCookie('usp_my')

export async function signedInAccount(
  request: FastifyRequest,
  { db, clock, config }: Dependencies<'db' | 'clock' | 'config'>,
): Promise<BuyerAccount | undefined> {
  const secret = cookie.read(request, config)
  return secret === '' ? undefined : accountOfSession(db, secret, clock())
}

/** Starts a new browser session after a sign-in. Ends the old session, because another person may know its secret. */
export async function startSession(
  { secret, seconds }: AccountSession,
  request: FastifyRequest,
  reply: FastifyReply,
  dependencies: Dependencies<'db' | 'config'>,
): Promise<void> {
  await endSession(request, dependencies)
  cookie.keep(reply, secret, seconds, dependencies.config)
}

export async function signOut(
  request: FastifyRequest,
  reply: FastifyReply,
  dependencies: Dependencies<'db' | 'config'>,
): Promise<void> {
  await endSession(request, dependencies)
  cookie.keep(reply, '', 0, dependencies.config)
}

const endSession = (request: FastifyRequest, { db, config }: Dependencies<'db' | 'config'>) =>
  accountSessionEnd(db, cookie.read(request, config))
