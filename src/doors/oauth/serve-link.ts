import type { FastifyInstance, FastifyRequest } from 'fastify'
import { signIn } from '../../accounts/sign-in.ts'
import type { Content } from '../../basics/html.ts'
import type { Speech } from '../../languages/speech.ts'
import { refuseOtherMethods } from '../http/other-methods.ts'
import { linkInstead } from '../my/link-instead.ts'
import { visitorOf } from '../my/session.ts'
import { forbidden } from '../pages/failures.ts'
import type { View } from '../pages/layout.ts'
import { isForeign } from '../pages/same-origin.ts'
import { formOf, pageRoute, pageScope, send } from '../pages/scope.ts'
import type { Authority } from './authority.ts'
import { consentView, linkExpired, signInToLink } from './consent-pages.ts'
import { grantOf, type LinkRequest, linkRequest } from './link-request.ts'
import { type OauthMeans, refuseUnlessLinking } from './serve.ts'

const PATH = '/link/:uid'

type Address = { Params: { uid: string } }

/** Where a buyer signs in and says what a platform may do, on the way from that platform and back to it. */
export function serveLink(scope: FastifyInstance, means: OauthMeans, authority: Authority) {
  const find = async (request: FastifyRequest<Address>) => {
    const { provider } = await authority()
    const linking = await linkRequest(provider, means, request.raw, request.params.uid)
    if (!linking || linking.buyer) return linking
    return { ...linking, buyer: await visitorOf(request, means) }
  }
  const insteadOf = ({ uid }: LinkRequest, { speech }: FastifyRequest) => linkInstead(`/link/${uid}`, speech, means)
  const options = pageRoute(means)
  pageScope(scope, means)
  scope.addHook('onRequest', () => refuseUnlessLinking(means))
  scope.get<Address>(PATH, options, async (request, reply) => {
    const linking = await find(request)
    return send(
      reply,
      linking ? shown(linking, request.speech, insteadOf(linking, request)) : linkExpired(request.speech),
      means,
    )
  })
  scope.post<Address>(PATH, options, async (request, reply) => {
    const linking = await find(request)
    if (!linking) return send(reply, linkExpired(request.speech), means)
    if (isForeign(request, means.config)) return send(reply, forbidden(request.speech), means)
    return send(reply, await submit(linking, request, insteadOf(linking, request), means), means)
  })
  refuseOtherMethods(scope, PATH, ['GET', 'POST'])
}

const shown = (linking: LinkRequest, speech: Speech, instead: Content): View =>
  linking.buyer ? consentView(linking, linking.buyer.name, speech) : signInToLink(linking, speech, { instead })

async function submit(linking: LinkRequest, request: FastifyRequest, instead: Content, means: OauthMeans) {
  const form = formOf(request)
  const { speech } = request
  const wish = form.get('do')
  if (wish === 'deny') return { to: await linking.finish({ error: 'access_denied' }) }
  if (linking.buyer) {
    if (wish !== 'allow') return shown(linking, speech, instead)
    const login = { accountId: linking.buyer.id, remember: false }
    const grantId = await grantOf(linking, linking.buyer.id, form.getAll('scope'))
    return { to: await linking.finish({ login, consent: { grantId } }) }
  }
  const entry = await signIn(form, request.ip, means)
  if ('note' in entry)
    return signInToLink(linking, speech, { note: entry.note, email: form.get('email') ?? '', instead })
  await linking.finish({ login: { accountId: entry.account, remember: false } })
  return { to: `/link/${linking.uid}` }
}
