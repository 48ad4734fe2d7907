import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  ACCOUNT_SESSION_SECONDS,
  accountOfSession,
  accountSessionBegin,
  accountSessionEnd,
} from '../../accounts/account-sessions.ts'
import type { BuyerAccount } from '../../accounts/buyer-accounts.ts'
import { signIn } from '../../accounts/sign-in.ts'
import { zoneOf } from '../../business/zone-of.ts'
import type { Message } from '../../languages/catalogue.ts'
import type { Speech } from '../../languages/speech.ts'
import type { Means } from '../../protocol/means.ts'
import { linksOf, unlink } from '../../tokens/linked-platforms.ts'
import { refuseOtherMethods } from '../http/other-methods.ts'
import { linkInstead } from '../my/link-instead.ts'
import { leave, visitorOf } from '../my/session.ts'
import { cookieOf } from '../pages/cookies.ts'
import { forbidden } from '../pages/failures.ts'
import { isForeign } from '../pages/same-origin.ts'
import { formOf, pageRoute, pageScope, send } from '../pages/scope.ts'
import { accountView } from './account-page.ts'
import { type OauthMeans, refuseUnlessLinking } from './serve.ts'
import { signInView } from './sign-in-form.ts'

const PATH = '/account'
const COOKIE = 'usp_account'

/** Where a buyer sees which platforms act for them, and ends that at any time. */
export function serveAccount(scope: FastifyInstance, means: OauthMeans) {
  const { db, clock } = means
  const visitor = async (request: FastifyRequest) =>
    (await visitorOf(request, means)) ?? accountOfSession(db, secretOf(request), clock())
  const options = pageRoute(means)
  pageScope(scope, means)
  scope.addHook('onRequest', () => refuseUnlessLinking(means))
  scope.get(PATH, options, async (request, reply) => {
    const buyer = await visitor(request)
    return send(reply, buyer ? await shown(buyer, request.speech, means) : signInPage(request.speech, means), means)
  })
  scope.post(PATH, options, async (request, reply) => {
    if (isForeign(request, means.config)) return send(reply, forbidden(request.speech), means)
    const buyer = await visitor(request)
    return buyer ? change(buyer, request, reply, means) : enter(request, reply, means)
  })
  refuseOtherMethods(scope, PATH, ['GET', 'POST'])
}

async function enter(request: FastifyRequest, reply: FastifyReply, means: OauthMeans) {
  const form = formOf(request)
  const entry = await signIn(form, request.ip, means)
  if ('note' in entry) {
    const email = form.get('email') ?? ''
    return send(reply, signInPage(request.speech, means, { note: entry.note, email }), means)
  }
  keep(reply, await accountSessionBegin(means.db, entry.account, means.clock()), ACCOUNT_SESSION_SECONDS, means)
  return send(reply, { to: PATH }, means)
}

async function change(buyer: BuyerAccount, request: FastifyRequest, reply: FastifyReply, means: OauthMeans) {
  const form = formOf(request)
  if (form.get('do') === 'unlink') await unlink(means.db, buyer.id, form.get('client') ?? '')
  if (form.get('do') === 'leave') {
    await leave(request, reply, means)
    await accountSessionEnd(means.db, secretOf(request))
    keep(reply, '', 0, means)
  }
  return send(reply, { to: PATH }, means)
}

const signInPage = (speech: Speech, means: OauthMeans, mistake: { note?: Message; email?: string } = {}) =>
  signInView({ ...mistake, why: speech.say('account.why'), instead: linkInstead(PATH, speech, means) }, speech)

async function shown(
  buyer: BuyerAccount,
  speech: Speech,
  { db, config, clock, business }: Means<'db' | 'config' | 'clock' | 'business'>,
) {
  const zone = await zoneOf({ business })
  const links = await linksOf(db, buyer.id, config.baseUrl, clock())
  return accountView({ buyer: buyer.name, links, zone }, speech)
}

const secretOf = (request: FastifyRequest): string => cookieOf(request, COOKIE)

/** Sent from our own pages alone, and read by no script. */
function keep(reply: FastifyReply, secret: string, seconds: number, { config }: Means<'config'>) {
  const secure = config.baseUrl.startsWith('https:') ? '; Secure' : ''
  reply.header(
    'set-cookie',
    `${COOKIE}=${secret}; Path=${PATH}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`,
  )
}
