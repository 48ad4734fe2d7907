import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { limitGrants } from '../../core/tokens/linked-platforms.ts'
import { assistantAuthorize } from '../../core/tokens/registered-assistants.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { refuseOtherMethods } from '../http/route-guards.ts'
import { signedInAccount, signOut } from '../my-bookings/buyer-browser-session.ts'
import { forbidden } from '../pages/error-pages.ts'
import type { Answer } from '../pages/page-layout.ts'
import { formOf, isForeign, pageRoute, pageScope, send } from '../pages/page-route-setup.ts'
import { consentView, linkExpired, signInToLink } from './consent-pages.ts'
import { grantOf, type LinkRequest, linkRequest } from './find-authorization-request.ts'
import type { Authority } from './load-authorization-server.ts'
import { type OauthDependencies, refuseWithoutAccounts } from './serve.ts'
import { signInByPassword } from './sign-in-form.ts'

type LinkDependencies = OauthDependencies & Dependencies<'cursors'>

const PATH = '/link/:uid'

type Address = { Params: { uid: string } }

export function serveLink(scope: FastifyInstance, dependencies: LinkDependencies, authority: Authority) {
  const find = async ({ raw, params }: FastifyRequest<Address>) =>
    linkRequest((await authority()).provider, dependencies, raw, params.uid)
  const options = pageRoute(dependencies)
  pageScope(scope, dependencies)
  scope.addHook('onRequest', () => refuseWithoutAccounts(dependencies))
  scope.get<Address>(PATH, options, async (request, reply) => {
    const linking = await find(request)
    return send(
      reply,
      await (linking ? shown(linking, request, dependencies) : linkExpired(request.localizer)),
      dependencies,
    )
  })
  scope.post<Address>(PATH, options, async (request, reply) => {
    const linking = await find(request)
    if (!linking) return send(reply, linkExpired(request.localizer), dependencies)
    if (isForeign(request, dependencies.config)) return send(reply, forbidden(request.localizer), dependencies)
    return send(reply, await submit(linking, request, reply, dependencies), dependencies)
  })
  refuseOtherMethods(scope, PATH, ['GET', 'POST'])
}

async function shown(linking: LinkRequest, request: FastifyRequest, dependencies: LinkDependencies) {
  const buyer = await signedInAccount(request, dependencies)
  const { localizer } = request
  return buyer ? consentView(linking, buyer.email, localizer) : signInToLink(linking, {}, localizer, dependencies)
}

async function submit(
  linking: LinkRequest,
  request: FastifyRequest,
  reply: FastifyReply,
  dependencies: LinkDependencies,
): Promise<Answer> {
  const form = formOf(request)
  const action = form.get('do')
  if (action === 'deny') return { to: await linking.finish({ error: 'access_denied' }) }
  const buyer = await signedInAccount(request, dependencies)
  if (buyer && action === 'allow') {
    const grantId = await grantOf(linking, buyer.id, form.getAll('scope'))
    await limitGrants(dependencies.db, buyer.id)
    if (linking.isAssistant) await assistantAuthorize(dependencies.db, linking.client, dependencies.clock())
    return { to: await linking.finish({ login: { accountId: buyer.id, remember: false }, consent: { grantId } }) }
  }
  if (buyer && action === 'leave') await signOut(request, reply, dependencies)
  const mistake = buyer ? undefined : await signInByPassword(request, reply, dependencies)
  return mistake ? signInToLink(linking, mistake, request.localizer, dependencies) : { to: linking.page }
}
