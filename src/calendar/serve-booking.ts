import type { FastifyInstance } from 'fastify'
import { refuseOtherMethods } from '../bindings/other-methods.ts'
import { checkedRoute, requireCall } from '../bindings/rest.ts'
import { dispatch } from '../protocol/dispatch.ts'
import type { Envelope } from '../protocol/envelope.ts'
import type { Runtime } from '../runtime.ts'
import { bookingCalendar } from './booking-calendar.ts'

export const CALENDAR_TYPE = 'text/calendar; charset=utf-8'

/** The file where reading the booking answers with it, and whatever that answers otherwise. */
export function serveBookingCalendar(app: FastifyInstance, runtime: Runtime) {
  const route = checkedRoute(bookingCalendar, runtime)
  app.route({
    ...route,
    handler: async (request, reply) => {
      const call = requireCall(request)
      const { status, text, body, headers } = await dispatch(call, runtime)
      const { calendar }: Envelope & { calendar?: string } = body
      reply.code(status).headers({ ...call.answerHeaders, ...headers })
      if (calendar === undefined) return reply.type('application/json; charset=utf-8').send(text)
      return reply
        .header('content-disposition', 'attachment; filename="booking.ics"')
        .type(CALENDAR_TYPE)
        .send(calendar)
    },
  })
  refuseOtherMethods(app, route.url, ['GET'])
}
