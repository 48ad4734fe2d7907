import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { accountSessionsEnd } from '../../domain/accounts/account-sessions.ts'
import type { CountingMeans } from '../../pipeline/check-rate.ts'
import type { Means } from '../../protocol/means.ts'
import { refuseOtherMethods } from '../http/other-methods.ts'
import { forbidden } from '../pages/failures.ts'
import { isForeign } from '../pages/same-origin.ts'
import { formOf, pageRoute, pageScope, queryOf, send } from '../pages/scope.ts'
import { ask } from './ask.ts'
import { askPage } from './ask-page.ts'
import { bookingsPage } from './bookings-page.ts'
import { enter, enterPage, type Link } from './enter.ts'
import { returnTo } from './return-to.ts'
import { leave, visitorOf } from './session.ts'

export type MyMeans = CountingMeans & Means<'config' | 'cursors' | 'tag' | 'makeChange' | 'strangerLimitMet'>

const PATH = '/my'
const ENTER = '/my/enter/:secret'

export function serveMy(scope: FastifyInstance, means: MyMeans) {
  const options = pageRoute(means)
  pageScope(scope, means)
  scope.get(PATH, options, async (request, reply) => send(reply, await shown(request, means), means))
  scope.post(PATH, options, async (request, reply) => {
    if (isForeign(request, means.config)) return send(reply, forbidden(request.speech), means)
    return send(reply, await submit(request, reply, means), means)
  })
  scope.get<Link>(ENTER, options, async (request, reply) => send(reply, await enterPage(request, means), means))
  scope.post<Link>(ENTER, options, async (request, reply) => {
    if (isForeign(request, means.config)) return send(reply, forbidden(request.speech), means)
    return send(reply, await enter(request, reply, means), means)
  })
  refuseOtherMethods(scope, PATH, ['GET', 'POST'])
  refuseOtherMethods(scope, ENTER, ['GET', 'POST'])
}

async function shown(request: FastifyRequest, means: MyMeans) {
  const { speech } = request
  const query = queryOf(request)
  const back = await returnTo(query.get('back'), means)
  const [account, definition] = await Promise.all([visitorOf(request, means), means.business.get()])
  // Without a verified address, the account sees no bookings of that address.
  if (account?.isVerified && definition && back === undefined)
    return bookingsPage(query, { account, definition, speech }, means)
  return askPage({ returnTo: back }, speech, means)
}

async function submit(request: FastifyRequest, reply: FastifyReply, means: MyMeans) {
  const wish = formOf(request).get('do')
  if (wish !== 'leave' && wish !== 'leave_everywhere') return ask(request, means)
  const account = await visitorOf(request, means)
  if (account && wish === 'leave_everywhere') await accountSessionsEnd(means.db, account.id)
  await leave(request, reply, means)
  return { to: PATH }
}
