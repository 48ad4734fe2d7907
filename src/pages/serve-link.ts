import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refuseOtherMethods } from '../bindings/other-methods.ts'
import type { Authority } from '../oauth/authority.ts'
import { grantOf, type LinkRequest, linkRequest } from '../oauth/link-request.ts'
import { refuseUnlessLinking } from '../oauth/serve.ts'
import { signIn } from '../oauth/sign-in.ts'
import type { Runtime } from '../runtime.ts'
import { forbidden } from './failures.ts'
import type { View } from './layout.ts'
import { consentView, linkExpired, signInToLink } from './link-views.ts'
import { isForeign } from './same-origin.ts'
import { formOf, options, pageScope, send } from './scope.ts'

const PATH = '/link/:uid'

type Address = { Params: { uid: string } }

/** Where a buyer signs in and says what a platform may do, on the way from that platform and back to it. */
export function serveLink(app: FastifyInstance, runtime: Runtime, authority: Authority) {
  const find = async (request: FastifyRequest<Address>) => {
    const { provider } = await authority()
    return linkRequest(provider, runtime, request.raw, request.params.uid)
  }
  pageScope(app, runtime, (scope) => {
    scope.addHook('onRequest', () => refuseUnlessLinking(runtime))
    scope.get<Address>(PATH, options, async (request, reply) => {
      const asked = await find(request)
      return send(reply, asked ? shown(asked) : linkExpired, runtime)
    })
    scope.post<Address>(PATH, options, async (request, reply) => {
      const asked = await find(request)
      if (!asked) return send(reply, linkExpired, runtime)
      if (isForeign(request, runtime.config)) return send(reply, forbidden, runtime)
      return send(reply, await submit(asked, formOf(request), request.ip, runtime), runtime)
    })
    refuseOtherMethods(scope, PATH, ['GET', 'POST'])
  })
}

const shown = (asked: LinkRequest): View => (asked.buyer ? consentView(asked, asked.buyer.name) : signInToLink(asked))

async function submit(asked: LinkRequest, form: URLSearchParams, address: string, runtime: Runtime) {
  const wish = form.get('do')
  if (wish === 'deny') return { to: await asked.finish({ error: 'access_denied' }) }
  if (asked.buyer) {
    if (wish !== 'allow') return shown(asked)
    const login = { accountId: asked.buyer.id, remember: false }
    const grantId = await grantOf(asked, asked.buyer.id, form.getAll('scope'))
    return { to: await asked.finish({ login, consent: { grantId } }) }
  }
  const entry = await signIn(form, address, runtime)
  if ('note' in entry) return signInToLink(asked, { note: entry.note, email: form.get('email') ?? '' })
  await asked.finish({ login: { accountId: entry.account, remember: false } })
  return { to: `/link/${asked.uid}` }
}
