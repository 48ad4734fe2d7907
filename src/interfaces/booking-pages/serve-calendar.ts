import type { FastifyInstance } from 'fastify'
import { buyersCalendar } from '../../domain/calendar/get-booking-calendar.ts'
import { CALENDAR_TYPE } from '../calendars/serve-booking-calendar.ts'
import { refuseOtherMethods } from '../http/route-guards.ts'
import { notFound } from '../pages/error-pages.ts'
import { pageRoute, send } from '../pages/page-route-setup.ts'
import { openPage, type PageDependencies } from './load-booking-page-context.ts'

const PATH = '/booking/:id/manage/:secret/calendar.ics'

/** Serves the calendar file of a booking. The secret URL of the booking page gives access. */
export function serveCalendar(scope: FastifyInstance, dependencies: PageDependencies) {
  scope.get<{ Params: { id: string; secret: string } }>(PATH, pageRoute(dependencies), async (request, reply) => {
    const { id, secret } = request.params
    const context = await openPage(dependencies, request, { id, secret, page: 'manage' })
    if (!context) return send(reply, notFound(request.localizer), dependencies)
    reply.header('content-disposition', 'attachment; filename="booking.ics"')
    const { booking, definition, localizer } = context
    return reply.type(CALENDAR_TYPE).send(buyersCalendar(booking, definition, localizer, dependencies))
  })
  refuseOtherMethods(scope, PATH, ['GET'])
}
