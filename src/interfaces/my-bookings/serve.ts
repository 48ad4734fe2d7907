import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { accountSessionsEnd } from '../../domain/accounts/account-sessions.ts'
import type { CountingDependencies } from '../../pipeline/check-rate.ts'
import type { Dependencies } from '../../protocol/dependencies.ts'
import { refuseOtherMethods } from '../http/guards.ts'
import { forbidden } from '../pages/failures.ts'
import { formOf, isForeign, pageRoute, pageScope, queryOf, send } from '../pages/scope.ts'
import { bookingsPage } from './bookings-page.ts'
import { returnTo } from './return-to.ts'
import { signedInAccount, signOut } from './session.ts'
import { type Link, signIn, signInPage } from './sign-in.ts'
import { sendSignInLink, signInLinkPage } from './sign-in-link-page.ts'

export type MyDependencies = CountingDependencies &
  Dependencies<'config' | 'cursors' | 'tag' | 'makeChange' | 'strangerLimitMet'>

const PATH = '/my'
const ENTER = '/my/enter/:secret'

export function serveMy(scope: FastifyInstance, means: MyDependencies) {
  const options = pageRoute(means)
  pageScope(scope, means)
  scope.get(PATH, options, async (request, reply) => send(reply, await shown(request, means), means))
  scope.post(PATH, options, async (request, reply) => {
    if (isForeign(request, means.config)) return send(reply, forbidden(request.speech), means)
    return send(reply, await submit(request, reply, means), means)
  })
  scope.get<Link>(ENTER, options, async (request, reply) => send(reply, await signInPage(request, means), means))
  scope.post<Link>(ENTER, options, async (request, reply) => {
    if (isForeign(request, means.config)) return send(reply, forbidden(request.speech), means)
    return send(reply, await signIn(request, reply, means), means)
  })
  refuseOtherMethods(scope, PATH, ['GET', 'POST'])
  refuseOtherMethods(scope, ENTER, ['GET', 'POST'])
}

async function shown(request: FastifyRequest, means: MyDependencies) {
  const { speech } = request
  const query = queryOf(request)
  const back = await returnTo(query.get('back'), means)
  const [account, definition] = await Promise.all([signedInAccount(request, means), means.business.get()])
  // Without a verified address, the account sees no bookings of that address.
  if (account?.isVerified && definition && back === undefined)
    return bookingsPage(query, { account, definition, speech }, means)
  return signInLinkPage({ returnTo: back }, speech, means)
}

async function submit(request: FastifyRequest, reply: FastifyReply, means: MyDependencies) {
  const wish = formOf(request).get('do')
  if (wish !== 'leave' && wish !== 'leave_everywhere') return sendSignInLink(request, means)
  const account = await signedInAccount(request, means)
  if (account && wish === 'leave_everywhere') await accountSessionsEnd(means.db, account.id)
  await signOut(request, reply, means)
  return { to: PATH }
}
