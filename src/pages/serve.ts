import type { FastifyInstance } from 'fastify'
import { refuseOtherMethods } from '../bindings/other-methods.ts'
import type { Page } from '../bookings/links.ts'
import type { Runtime } from '../runtime.ts'
import { forbidden, notFound } from './failures.ts'
import { intake } from './intake.ts'
import { ways } from './leave-payment.ts'
import { manage } from './manage.ts'
import type { PageKind } from './page-kind.ts'
import { payment } from './payment.ts'
import { isForeign } from './same-origin.ts'
import { formOf, options, pageScope, send } from './scope.ts'
import { visitOf } from './visit.ts'
import { waiver } from './waiver.ts'

const kinds: Record<Page, PageKind> = { manage, waiver, intake, payment }

const PATH = '/booking/:id/:page/:secret'

type Address = { Params: { id: string; page: string; secret: string; way?: string } }

/** The pages that a buyer's browser opens: whoever has the address of one may do what it is for. */
export function servePages(app: FastifyInstance, runtime: Runtime) {
  pageScope(app, runtime, (scope) => {
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
