import { defineOperation } from '../../../protocol/define-operation.ts'
import { shape } from '../../../protocol/json-schemas.ts'
import type { ListStrandedBookings } from '../../../protocol/types.generated.ts'
import { toBooking } from '../../bookings/booking-response.ts'
import { inOrder } from '../../busy-times/conflict-queries.ts'
import { MAX_AFFECTED_LISTED } from '../../definition/affected-bookings.ts'
import { busyShape, toBusy } from '../hours/day-schedule-schema.ts'
import { reasonsShape } from '../shared/affected-booking-schema.ts'
import { eventQuestionsShape, toEventQuestion } from '../shared/event-question-schema.ts'
import { atDesk } from '../shared/operation-defaults.ts'
import { affectedList } from './affected-booking-list-queries.ts'

export const listStranded = defineOperation<ListStrandedBookings>({
  ...atDesk,
  id: 'listStrandedBookings',
  rest: 'GET /business/stranded',
  tool: 'usp_business_stranded_list',
  title: 'List affected bookings',
  description:
    'Lists bookings that no longer fit the changed definition or time zone, overlap a later busy time of another ' +
    'calendar, or whose event was deleted or moved there. ' +
    `A booking stays until it is moved, canceled or kept (usp_business_bookings_keep). Up to ${MAX_AFFECTED_LISTED}.`,
  effect: 'read',
  input: { type: 'object', properties: {} },
  output: {
    type: 'object',
    required: ['total', 'stranded'],
    properties: {
      total: { type: 'integer', minimum: 0, description: 'The total number.' },
      stranded: {
        type: 'array',
        description: 'The bookings, earliest first.',
        items: {
          type: 'object',
          required: ['booking', 'reasons'],
          properties: {
            booking: shape('Booking'),
            session_id: { type: 'string', description: 'The class; only for a booking of a class.' },
            reasons: reasonsShape,
            busy: {
              type: 'array',
              items: busyShape,
              description: 'The busy times of other calendars that it overlaps.',
            },
            events: eventQuestionsShape,
          },
        },
      },
    },
  },
  summary: ({ total }) => (total === 1 ? 'One booking is affected.' : `${total} bookings are affected.`),
  async handle(context) {
    const rows = await affectedList(context.db, MAX_AFFECTED_LISTED, context.now)
    return {
      total: Number(rows[0]?.total ?? 0),
      stranded: rows.map(({ reasons, busy, events, total: _, ...row }) => ({
        booking: toBooking(row, context),
        ...(row.session_id !== null && { session_id: row.session_id }),
        reasons,
        ...(busy && { busy: inOrder(busy).map((span) => toBusy(span, row.record.zone)) }),
        ...(events && { events: events.map((one) => toEventQuestion(one, row.record.zone)) }),
      })),
    }
  },
})
