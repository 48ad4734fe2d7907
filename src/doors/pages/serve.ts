import type { FastifyInstance } from 'fastify'
import type { Page } from '../../bookings/page-links.ts'
import { refuseOtherMethods } from '../http/other-methods.ts'
import { forbidden, notFound } from './failures.ts'
import { intake } from './intake.ts'
import { ways } from './leave-payment.ts'
import { manage } from './manage.ts'
import type { PageKind, PageMeans } from './page-kind.ts'
import { payment } from './payment.ts'
import { isForeign } from './same-origin.ts'
import { formOf, pageRoute, pageScope, send } from './scope.ts'
import { visitOf } from './visit.ts'
import { waiver } from './waiver.ts'

const kinds: Record<Page, PageKind> = { manage, waiver, intake, payment }

const PATH = '/booking/:id/:page/:secret'

type Address = { Params: { id: string; page: string; secret: string; way?: string } }

/** The pages that a buyer's browser opens: whoever has the address of one may do what it is for. */
export function servePages(app: FastifyInstance, means: PageMeans) {
  const options = pageRoute(means)
  pageScope(app, means, (scope) => {
    scope.get<Address>(PATH, options, async ({ params }, reply) => {
      const visit = await visitOf(means, params)
      return send(reply, visit ? kinds[visit.page].show(visit, means) : notFound, means)
    })
    scope.post<Address>(PATH, options, async (request, reply) => {
      const visit = await visitOf(means, request.params)
      if (!visit) return send(reply, notFound, means)
      if (isForeign(request, means.config)) return send(reply, forbidden, means)
      const answer = await kinds[visit.page].submit(visit, formOf(request), means)
      return send(reply, answer ?? { to: visit.pathOf(visit.page) }, means)
    })
    scope.get<Address>(`${PATH}/:way`, options, async ({ params }, reply) => {
      const visit = await visitOf(means, params)
      const leave = visit?.page === 'payment' ? ways[params.way ?? ''] : undefined
      if (!visit || !leave) return send(reply, notFound, means)
      return send(reply, await leave(visit, means, async () => (await visitOf(means, params)) ?? visit), means)
    })
    refuseOtherMethods(scope, PATH, ['GET', 'POST'])
    refuseOtherMethods(scope, `${PATH}/:way`, ['GET'])
  })
}
