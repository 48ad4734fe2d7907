import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { zoneOf } from '../../core/business/definition.ts'
import { linksOf, unlink } from '../../core/tokens/linked-platforms.ts'
import type { BuyerAccount } from '../../domain/accounts/buyer-accounts.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import type { Dependencies } from '../../protocol/dependencies.ts'
import { refuseOtherMethods } from '../http/guards.ts'
import { signedInAccount, signOut } from '../my-bookings/session.ts'
import { forbidden } from '../pages/failures.ts'
import { formOf, isForeign, pageRoute, pageScope, send } from '../pages/scope.ts'
import { accountView } from './account-page.ts'
import { type OauthDependencies, refuseWithoutAccounts } from './serve.ts'
import { type Mistake, signInByPassword, signInView } from './sign-in-form.ts'

type AccountMeans = OauthDependencies & Dependencies<'cursors'>

const PATH = '/account'

export function serveAccount(scope: FastifyInstance, means: AccountMeans) {
  const options = pageRoute(means)
  pageScope(scope, means)
  scope.addHook('onRequest', () => refuseWithoutAccounts(means))
  scope.get(PATH, options, async (request, reply) => {
    const buyer = await signedInAccount(request, means)
    return send(
      reply,
      await (buyer ? shown(buyer, request.speech, means) : signInPage({}, request.speech, means)),
      means,
    )
  })
  scope.post(PATH, options, async (request, reply) => {
    if (isForeign(request, means.config)) return send(reply, forbidden(request.speech), means)
    return send(reply, await submit(request, reply, means), means)
  })
  refuseOtherMethods(scope, PATH, ['GET', 'POST'])
}

async function submit(request: FastifyRequest, reply: FastifyReply, means: AccountMeans) {
  const buyer = await signedInAccount(request, means)
  const mistake = buyer ? await change(buyer, request, reply, means) : await signInByPassword(request, reply, means)
  return mistake ? signInPage(mistake, request.speech, means) : { to: PATH }
}

async function change(buyer: BuyerAccount, request: FastifyRequest, reply: FastifyReply, means: AccountMeans) {
  const form = formOf(request)
  if (form.get('do') === 'unlink') await unlink(means.db, buyer.id, form.get('client') ?? '')
  if (form.get('do') === 'leave') await signOut(request, reply, means)
  return undefined
}

const signInPage = (mistake: Mistake, speech: Localizer, means: AccountMeans) =>
  signInView({ ...mistake, why: speech.say('account.why'), page: PATH }, speech, means)

async function shown(buyer: BuyerAccount, speech: Localizer, means: AccountMeans) {
  const zone = await zoneOf(means)
  const links = await linksOf(means.db, buyer.id, means.clock())
  return accountView({ buyer: buyer.email, links, zone, page: PATH }, speech, means)
}
