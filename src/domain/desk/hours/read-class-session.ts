import { zoneOf } from '../../../core/business/definition-facts.ts'
import { defineOperation } from '../../../protocol/define-operation.ts'
import type { GetSession } from '../../../protocol/types.generated.ts'
import { conflictsOfClass } from '../../busy-times/conflict-queries.ts'
import { marksOfSession } from '../shared/booking-and-change-queries.ts'
import { atDesk } from '../shared/operation-defaults.ts'
import { currentSession, sessionId, sessionOutput } from './class-session-schema.ts'
import { busyShape, toBusy } from './day-schedule-schema.ts'

export const readSession = defineOperation<GetSession>({
  ...atDesk,
  id: 'getSession',
  rest: 'GET /business/sessions/{session_id}',
  tool: 'usp_business_sessions_get',
  title: 'Read a class',
  description:
    'Returns when a class takes place, how many places are taken, and the tags of its customers. For its bookings ' +
    'call usp_business_bookings_list with its session_id.',
  effect: 'read',
  input: { type: 'object', required: ['session_id'], properties: { session_id: sessionId } },
  output: {
    ...sessionOutput,
    properties: {
      ...sessionOutput.properties,
      customer_tags: {
        type: 'object',
        additionalProperties: { type: 'array', items: { type: 'string' } },
        description: 'Tags of the customers for the staff, such as an allergy, by booking id.',
      },
      busy: {
        type: 'array',
        items: busyShape,
        description: 'The busy times of other calendars that it overlaps. Until it is kept, nobody can join.',
      },
      attending: {
        type: 'array',
        items: { type: 'string' },
        description: 'Ids of the bookings whose buyers have confirmed that they will come.',
      },
    },
  },
  summary: ({ session: { start, capacity, taken } }) => `The class at ${start}: ${taken} of ${capacity} places taken.`,
  async handle(context) {
    const session = await currentSession(context, context.input.session_id)
    const marks = await marksOfSession(context.db, session.id)
    const busy = await conflictsOfClass(context.db, session.id)
    const zone = await zoneOf(context)
    const tagged = marks.filter(({ tags }) => tags.length > 0)
    const attending = marks.filter(({ isAttending }) => isAttending)
    return {
      session,
      ...(tagged.length > 0 && { customer_tags: Object.fromEntries(tagged.map(({ id, tags }) => [id, tags])) }),
      ...(busy.length > 0 && { busy: busy.map((span) => toBusy(span, zone)) }),
      ...(attending.length > 0 && { attending: attending.map(({ id }) => id) }),
    }
  },
})
