import type { FastifyInstance } from 'fastify'
import { needsFullAccess, type Page } from '../../domain/bookings/page-links.ts'
import { refuseOtherMethods } from '../http/guards.ts'
import { markOpened } from '../pages/browser-marks.ts'
import { forbidden, notFound } from '../pages/failures.ts'
import { formOf, framedRoute, isForeign, pageScope, send } from '../pages/scope.ts'
import { cancelPage } from './cancel.ts'
import { intake } from './intake.ts'
import { manage } from './manage.ts'
import { move } from './move.ts'
import { openPage, type PageAddress, type PageDependencies, type PageKind } from './page-context.ts'
import { payment } from './payment.ts'
import { paymentExits } from './payment-exits.ts'
import { serveCalendar } from './serve-calendar.ts'
import { waiver } from './waiver.ts'

const kinds: Record<Page, PageKind> = { manage, cancel: cancelPage, move, waiver, intake, payment }

const PATH = '/booking/:id/:page/:secret'

type Address = { Params: PageAddress & { way?: string } }

/** The pages of a booking. The secret in a URL is the only credential, and it allows the action of that page. */
export function servePages(scope: FastifyInstance, means: PageDependencies) {
  const options = framedRoute(means)
  pageScope(scope, means)
  scope.get<Address>(PATH, options, async (request, reply) => {
    const context = await openPage(means, request, request.params)
    if (!context) return send(reply, notFound(request.speech), means)
    if (needsFullAccess(context.page)) markOpened(reply, means, context.booking.id)
    return send(reply, await kinds[context.page].show(context, means), means)
  })
  scope.post<Address>(PATH, options, async (request, reply) => {
    const context = await openPage(means, request, request.params)
    if (!context) return send(reply, notFound(request.speech), means)
    if (isForeign(request, means.config)) return send(reply, forbidden(request.speech), means)
    const answer = await kinds[context.page].submit?.(context, formOf(request), means)
    return send(reply, answer ?? { to: context.pathOf(context.page) }, means)
  })
  scope.get<Address>(`${PATH}/:way`, options, async (request, reply) => {
    const context = await openPage(means, request, request.params)
    const leave = context?.page === 'payment' ? paymentExits.get(request.params.way ?? '') : undefined
    if (!context || !leave) return send(reply, notFound(request.speech), means)
    const again = async () => (await openPage(means, request, request.params)) ?? context
    return send(reply, await leave(context, means, again), means)
  })
  serveCalendar(scope, means)
  refuseOtherMethods(scope, PATH, ['GET', 'POST'])
  refuseOtherMethods(scope, `${PATH}/:way`, ['GET'])
}
