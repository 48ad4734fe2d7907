import type { FastifyInstance } from 'fastify'
import { needsFullAccess, type Page } from '../../domain/bookings/booking-page-links.ts'
import { refuseOtherMethods } from '../http/route-guards.ts'
import { forbidden, notFound } from '../pages/error-pages.ts'
import { markOpened } from '../pages/opened-booking-cookies.ts'
import { formOf, framedRoute, isForeign, pageScope, send } from '../pages/page-route-setup.ts'
import { attend } from './attend-page.ts'
import { cancelPage } from './cancel-page.ts'
import { intake } from './intake-page.ts'
import { openPage, type PageAddress, type PageDependencies, type PageKind } from './load-booking-page-context.ts'
import { manage } from './manage-booking-page.ts'
import { move } from './move-page.ts'
import { payment } from './payment-page.ts'
import { paymentExits } from './return-from-payment-provider.ts'
import { serveCalendar } from './serve-calendar.ts'
import { waiver } from './waiver-page.ts'

const kinds: Record<Page, PageKind> = { manage, cancel: cancelPage, move, attend, waiver, intake, payment }

const PATH = '/booking/:id/:page/:secret'

type Address = { Params: PageAddress & { way?: string } }

/**
 * Serves the pages of a booking. The secret in the URL is the only proof that a visitor may use a page. Each secret
 * allows only the action of its page.
 */
export function servePages(scope: FastifyInstance, dependencies: PageDependencies) {
  const options = framedRoute(dependencies)
  pageScope(scope, dependencies)
  scope.get<Address>(PATH, options, async (request, reply) => {
    const context = await openPage(dependencies, request, request.params)
    if (!context) return send(reply, notFound(request.localizer), dependencies)
    if (needsFullAccess(context.page)) markOpened(reply, dependencies, context.booking.id)
    return send(reply, await kinds[context.page].show(context, dependencies), dependencies)
  })
  scope.post<Address>(PATH, options, async (request, reply) => {
    const context = await openPage(dependencies, request, request.params)
    if (!context) return send(reply, notFound(request.localizer), dependencies)
    if (isForeign(request, dependencies.config)) return send(reply, forbidden(request.localizer), dependencies)
    const answer = await kinds[context.page].submit?.(context, formOf(request), dependencies)
    return send(reply, answer ?? { to: context.pathOf(context.page) }, dependencies)
  })
  scope.get<Address>(`${PATH}/:way`, options, async (request, reply) => {
    const context = await openPage(dependencies, request, request.params)
    const leave = context?.page === 'payment' ? paymentExits.get(request.params.way ?? '') : undefined
    if (!context || !leave) return send(reply, notFound(request.localizer), dependencies)
    const again = async () => (await openPage(dependencies, request, request.params)) ?? context
    return send(reply, await leave(context, dependencies, again), dependencies)
  })
  serveCalendar(scope, dependencies)
  refuseOtherMethods(scope, PATH, ['GET', 'POST'])
  refuseOtherMethods(scope, `${PATH}/:way`, ['GET'])
}
