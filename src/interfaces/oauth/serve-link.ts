import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { assistantAuthorize } from '../../core/tokens/assistants.ts'
import { limitGrants } from '../../core/tokens/linked-platforms.ts'
import type { Dependencies } from '../../protocol/dependencies.ts'
import { refuseOtherMethods } from '../http/guards.ts'
import { signedInAccount, signOut } from '../my-bookings/session.ts'
import { forbidden } from '../pages/failures.ts'
import type { Answer } from '../pages/layout.ts'
import { formOf, isForeign, pageRoute, pageScope, send } from '../pages/scope.ts'
import type { Authority } from './authority.ts'
import { consentView, linkExpired, signInToLink } from './consent-pages.ts'
import { grantOf, type LinkRequest, linkRequest } from './link-request.ts'
import { type OauthDependencies, refuseWithoutAccounts } from './serve.ts'
import { signInByPassword } from './sign-in-form.ts'

type LinkMeans = OauthDependencies & Dependencies<'cursors'>

const PATH = '/link/:uid'

type Address = { Params: { uid: string } }

export function serveLink(scope: FastifyInstance, means: LinkMeans, authority: Authority) {
  const find = async ({ raw, params }: FastifyRequest<Address>) =>
    linkRequest((await authority()).provider, means, raw, params.uid)
  const options = pageRoute(means)
  pageScope(scope, means)
  scope.addHook('onRequest', () => refuseWithoutAccounts(means))
  scope.get<Address>(PATH, options, async (request, reply) => {
    const linking = await find(request)
    return send(reply, await (linking ? shown(linking, request, means) : linkExpired(request.speech)), means)
  })
  scope.post<Address>(PATH, options, async (request, reply) => {
    const linking = await find(request)
    if (!linking) return send(reply, linkExpired(request.speech), means)
    if (isForeign(request, means.config)) return send(reply, forbidden(request.speech), means)
    return send(reply, await submit(linking, request, reply, means), means)
  })
  refuseOtherMethods(scope, PATH, ['GET', 'POST'])
}

async function shown(linking: LinkRequest, request: FastifyRequest, means: LinkMeans) {
  const buyer = await signedInAccount(request, means)
  const { speech } = request
  return buyer ? consentView(linking, buyer.email, speech) : signInToLink(linking, {}, speech, means)
}

async function submit(
  linking: LinkRequest,
  request: FastifyRequest,
  reply: FastifyReply,
  means: LinkMeans,
): Promise<Answer> {
  const form = formOf(request)
  const wish = form.get('do')
  if (wish === 'deny') return { to: await linking.finish({ error: 'access_denied' }) }
  const buyer = await signedInAccount(request, means)
  if (buyer && wish === 'allow') {
    const grantId = await grantOf(linking, buyer.id, form.getAll('scope'))
    await limitGrants(means.db, buyer.id)
    if (linking.isAssistant) await assistantAuthorize(means.db, linking.client, means.clock())
    return { to: await linking.finish({ login: { accountId: buyer.id, remember: false }, consent: { grantId } }) }
  }
  if (buyer && wish === 'leave') await signOut(request, reply, means)
  const mistake = buyer ? undefined : await signInByPassword(request, reply, means)
  return mistake ? signInToLink(linking, mistake, request.speech, means) : { to: linking.page }
}
