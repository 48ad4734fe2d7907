import { defineOperation } from '../../../protocol/operation.ts'
import { shape } from '../../../protocol/schemas.ts'
import type { ListStrandedBookings } from '../../../protocol/types.generated.ts'
import { toBooking } from '../../bookings/booking.ts'
import { MAX_AFFECTED_LISTED } from '../../definition/affected-bookings.ts'
import { atDesk } from '../shared/operation-parts.ts'
import { reasonsShape } from '../shared/stranded-parts.ts'
import { strandedList } from './stranded-queries.ts'

export const listStranded = defineOperation<ListStrandedBookings>({
  ...atDesk,
  id: 'listStrandedBookings',
  rest: 'GET /business/stranded',
  tool: 'usp_business_stranded_list',
  title: 'List stranded bookings',
  description:
    'Bookings that a change of the business definition, or of the rules of its time zone, left outside hours or without their ' +
    'person, service, place or class, until somebody moves, cancels or keeps them (usp_business_bookings_keep). ' +
    `The first ${MAX_AFFECTED_LISTED}.`,
  effect: 'read',
  input: { type: 'object', properties: {} },
  output: {
    type: 'object',
    required: ['total', 'stranded'],
    properties: {
      total: { type: 'integer', minimum: 0, description: 'How many in all.' },
      stranded: {
        type: 'array',
        description: 'The first first.',
        items: {
          type: 'object',
          required: ['booking', 'reasons'],
          properties: { booking: shape('Booking'), reasons: reasonsShape },
        },
      },
    },
  },
  summary: ({ total }) => (total === 1 ? 'One booking is stranded.' : `${total} bookings are stranded.`),
  async handle(context) {
    const rows = await strandedList(context.db, MAX_AFFECTED_LISTED, context.now)
    return {
      total: Number(rows[0]?.total ?? 0),
      stranded: rows.map(({ reasons, total: _, ...row }) => ({ booking: toBooking(row, context), reasons })),
    }
  },
})
