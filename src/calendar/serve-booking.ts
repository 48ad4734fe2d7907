import type { FastifyInstance } from 'fastify'
import { JSON_TYPE } from '../bindings/http-basics.ts'
import { refuseOtherMethods } from '../bindings/other-methods.ts'
import { checkedRoute, requireCall } from '../bindings/rest.ts'
import { answerSignature, signsAnswers } from '../bindings/sign-answer.ts'
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
      const isSigned = request.method !== 'HEAD' && (await signsAnswers(call.operation, runtime))
      const { status, text: told, body, headers } = await dispatch(call, runtime)
      const { calendar }: Envelope & { calendar?: string } = body
      const [type, text] = calendar === undefined ? [JSON_TYPE, told] : [CALENDAR_TYPE, calendar]
      reply.code(status).headers({ ...call.answerHeaders, ...headers })
      if (calendar !== undefined) reply.header('content-disposition', 'attachment; filename="booking.ics"')
      if (isSigned) reply.headers(await answerSignature({ status, type, text }, runtime))
      return reply.type(type).send(text)
    },
  })
  refuseOtherMethods(app, route.url, ['GET'])
}
