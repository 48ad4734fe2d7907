import type { FastifyInstance } from 'fastify'
import { bookingCalendar } from '../../domain/calendar/get-booking-calendar.ts'
import { dispatch } from '../../pipeline/dispatch-operation.ts'
import type { Envelope } from '../../protocol/response-envelope.ts'
import { JSON_TYPE } from '../http/request-defaults.ts'
import { refuseOtherMethods } from '../http/route-guards.ts'
import {
  answerSignature,
  checkedRoute,
  decorateCalls,
  type RestDependencies,
  requireCall,
  signsAnswers,
} from '../rest/serve-rest-operations.ts'

export const CALENDAR_TYPE = 'text/calendar; charset=utf-8'

/** Serves a booking as an iCalendar file. If the server refuses the call, the answer is JSON with the reason. */
export function serveBookingCalendar(app: FastifyInstance, dependencies: RestDependencies) {
  decorateCalls(app)
  const route = checkedRoute(bookingCalendar, dependencies)
  app.route({
    ...route,
    handler: async (request, reply) => {
      const call = requireCall(request)
      const isSigned = request.method !== 'HEAD' && (await signsAnswers(call.operation, dependencies))
      const { status, text: replyText, body, headers } = await dispatch(call, dependencies)
      const { calendar }: Envelope & { calendar?: string } = body
      const [type, text] = calendar === undefined ? [JSON_TYPE, replyText] : [CALENDAR_TYPE, calendar]
      reply.code(status).headers({ ...call.answerHeaders, ...headers })
      if (calendar !== undefined) reply.header('content-disposition', 'attachment; filename="booking.ics"')
      if (isSigned) reply.headers(await answerSignature({ status, type, text }, dependencies))
      return reply.type(type).send(text)
    },
  })
  refuseOtherMethods(app, route.url, ['GET'])
}
