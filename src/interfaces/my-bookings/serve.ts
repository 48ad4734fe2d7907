import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { accountSessionsEnd } from '../../domain/accounts/account-sessions.ts'
import type { CountingDependencies } from '../../pipeline/limit-calls-per-caller.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { refuseOtherMethods } from '../http/route-guards.ts'
import { forbidden } from '../pages/error-pages.ts'
import { formOf, isForeign, pageRoute, pageScope, queryOf, send } from '../pages/page-route-setup.ts'
import { bookingsPage } from './bookings-page.ts'
import { signedInAccount, signOut } from './buyer-browser-session.ts'
import { type Link, signIn, signInPage } from './confirm-sign-in-page.ts'
import { returnTo } from './page-after-sign-in.ts'
import { sendSignInLink, signInLinkPage } from './request-sign-in-link-page.ts'

export type MyDependencies = CountingDependencies &
  Dependencies<'config' | 'cursors' | 'tag' | 'makeChange' | 'strangerLimitMet'>

const PATH = '/my'
const ENTER = '/my/enter/:secret'

export function serveMy(scope: FastifyInstance, dependencies: MyDependencies) {
  const options = pageRoute(dependencies)
  pageScope(scope, dependencies)
  scope.get(PATH, options, async (request, reply) => send(reply, await shown(request, dependencies), dependencies))
  scope.post(PATH, options, async (request, reply) => {
    if (isForeign(request, dependencies.config)) return send(reply, forbidden(request.localizer), dependencies)
    return send(reply, await submit(request, reply, dependencies), dependencies)
  })
  scope.get<Link>(ENTER, options, async (request, reply) =>
    send(reply, await signInPage(request, dependencies), dependencies),
  )
  scope.post<Link>(ENTER, options, async (request, reply) => {
    if (isForeign(request, dependencies.config)) return send(reply, forbidden(request.localizer), dependencies)
    return send(reply, await signIn(request, reply, dependencies), dependencies)
  })
  refuseOtherMethods(scope, PATH, ['GET', 'POST'])
  refuseOtherMethods(scope, ENTER, ['GET', 'POST'])
}

async function shown(request: FastifyRequest, dependencies: MyDependencies) {
  const { localizer } = request
  const query = queryOf(request)
  const back = await returnTo(query.get('back'), dependencies)
  const [account, definition] = await Promise.all([signedInAccount(request, dependencies), dependencies.business.get()])
  // The server shows the bookings of an email address only to a person who has proved that the address is theirs.
  if (account?.isVerified && definition && back === undefined)
    return bookingsPage(query, { account, definition, localizer }, dependencies)
  return signInLinkPage({ returnTo: back }, localizer, dependencies)
}

async function submit(request: FastifyRequest, reply: FastifyReply, dependencies: MyDependencies) {
  const action = formOf(request).get('do')
  if (action !== 'leave' && action !== 'leave_everywhere') return sendSignInLink(request, dependencies)
  const account = await signedInAccount(request, dependencies)
  if (account && action === 'leave_everywhere') await accountSessionsEnd(dependencies.db, account.id)
  await signOut(request, reply, dependencies)
  return { to: PATH }
}
