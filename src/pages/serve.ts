import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refuseOtherMethods } from '../bindings/other-methods.ts'
import type { Page } from '../bookings/links.ts'
import type { Runtime } from '../runtime.ts'
import { countCall } from '../trust/check-rate.ts'
import { failure, forbidden, notFound } from './failures.ts'
import { readForm } from './form.ts'
import { intake } from './intake.ts'
import { headersOf, page, type View } from './layout.ts'
import { ways } from './leave-payment.ts'
import { manage } from './manage.ts'
import type { PageKind } from './page-kind.ts'
import { payment } from './payment.ts'
import { isForeign } from './same-origin.ts'
import { visitOf } from './visit.ts'
import { waiver } from './waiver.ts'

const kinds: Record<Page, PageKind> = { manage, waiver, intake, payment }

const PATH = '/booking/:id/:page/:secret'
const FORM_BYTES = 256 * 1024

type Address = { Params: { id: string; page: string; secret: string; way?: string } }

/** The pages that a buyer's browser opens: whoever has the address of one may do what it is for. */
export function servePages(app: FastifyInstance, runtime: Runtime) {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_BYTES },
      (_, body, done) => done(null, readForm(String(body))),
    )
    scope.addHook('onRequest', async ({ ip }) => {
      await countCall(runtime, 'other', `page ${ip}`)
    })
    scope.addHook('onSend', async (_, reply) => {
      reply.headers(discreet).removeHeader('access-control-allow-origin')
    })
    scope.setErrorHandler(async (error, request, reply) => send(reply, failure(error, request, reply), runtime))

    scope.get<Address>(PATH, options, async ({ params }, reply) => {
      const visit = await visitOf(runtime, params)
      return send(reply, visit ? kinds[visit.page].show(visit, runtime) : notFound, runtime)
    })
    scope.post<Address>(PATH, options, async (request, reply) => {
      const visit = await visitOf(runtime, request.params)
      if (!visit) return send(reply, notFound, runtime)
      if (isForeign(request, runtime.config)) return send(reply, forbidden, runtime)
      const answer = await kinds[visit.page].submit(visit, formOf(request), runtime)
      return send(reply, answer ?? { to: visit.pathOf(visit.page) }, runtime)
    })
    scope.get<Address>(`${PATH}/:way`, options, async ({ params }, reply) => {
      const visit = await visitOf(runtime, params)
      const leave = visit?.page === 'payment' ? ways[params.way ?? ''] : undefined
      if (!visit || !leave) return send(reply, notFound, runtime)
      return send(reply, await leave(visit, runtime, async () => (await visitOf(runtime, params)) ?? visit), runtime)
    })
    refuseOtherMethods(scope, PATH, ['GET', 'POST'])
    refuseOtherMethods(scope, `${PATH}/:way`, ['GET'])
  })
}

const options = { config: { operation: 'page' } }

/** What is on these pages, and where they are, is between the business and the buyer. */
const discreet = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
  'cross-origin-resource-policy': 'same-origin',
}

const formOf = ({ body }: FastifyRequest) => (body instanceof URLSearchParams ? body : new URLSearchParams())

async function send(reply: FastifyReply, answer: View | { to: string }, { business }: Runtime) {
  if ('to' in answer) return reply.redirect(answer.to, 303)
  const definition = await business.get().catch(() => undefined)
  return reply.code(answer.status).headers(headersOf(answer)).send(page(answer, definition?.business))
}
