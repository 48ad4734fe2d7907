import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { zoneOf } from '../../core/business/definition-facts.ts'
import { linksOf, unlink } from '../../core/tokens/linked-platforms.ts'
import type { BuyerAccount } from '../../domain/accounts/buyer-accounts.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { refuseOtherMethods } from '../http/route-guards.ts'
import { signedInAccount, signOut } from '../my-bookings/buyer-browser-session.ts'
import { forbidden } from '../pages/error-pages.ts'
import { formOf, isForeign, pageRoute, pageScope, send } from '../pages/page-route-setup.ts'
import { accountView } from './account-page.ts'
import { type OauthDependencies, refuseWithoutAccounts } from './serve.ts'
import { type Mistake, signInByPassword, signInView } from './sign-in-form.ts'

type AccountDependencies = OauthDependencies & Dependencies<'cursors'>

const PATH = '/account'

export function serveAccount(scope: FastifyInstance, dependencies: AccountDependencies) {
  const options = pageRoute(dependencies)
  pageScope(scope, dependencies)
  scope.addHook('onRequest', () => refuseWithoutAccounts(dependencies))
  scope.get(PATH, options, async (request, reply) => {
    const buyer = await signedInAccount(request, dependencies)
    return send(
      reply,
      await (buyer ? shown(buyer, request.localizer, dependencies) : signInPage({}, request.localizer, dependencies)),
      dependencies,
    )
  })
  scope.post(PATH, options, async (request, reply) => {
    if (isForeign(request, dependencies.config)) return send(reply, forbidden(request.localizer), dependencies)
    return send(reply, await submit(request, reply, dependencies), dependencies)
  })
  refuseOtherMethods(scope, PATH, ['GET', 'POST'])
}

async function submit(request: FastifyRequest, reply: FastifyReply, dependencies: AccountDependencies) {
  const buyer = await signedInAccount(request, dependencies)
  const mistake = buyer
    ? await change(buyer, request, reply, dependencies)
    : await signInByPassword(request, reply, dependencies)
  return mistake ? signInPage(mistake, request.localizer, dependencies) : { to: PATH }
}

async function change(
  buyer: BuyerAccount,
  request: FastifyRequest,
  reply: FastifyReply,
  dependencies: AccountDependencies,
) {
  const form = formOf(request)
  if (form.get('do') === 'unlink') await unlink(dependencies.db, buyer.id, form.get('client') ?? '')
  if (form.get('do') === 'leave') await signOut(request, reply, dependencies)
  return undefined
}

const signInPage = (mistake: Mistake, localizer: Localizer, dependencies: AccountDependencies) =>
  signInView({ ...mistake, why: localizer.say('account.why'), page: PATH }, localizer, dependencies)

async function shown(buyer: BuyerAccount, localizer: Localizer, dependencies: AccountDependencies) {
  const zone = await zoneOf(dependencies)
  const links = await linksOf(dependencies.db, buyer.id, dependencies.clock())
  return accountView({ buyer: buyer.email, links, zone, page: PATH }, localizer, dependencies)
}
