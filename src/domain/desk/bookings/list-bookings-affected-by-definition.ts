import { defineOperation } from '../../../protocol/define-operation.ts'
import { shape } from '../../../protocol/json-schemas.ts'
import type { ListStrandedBookings } from '../../../protocol/types.generated.ts'
import { toBooking } from '../../bookings/booking-response.ts'
import { MAX_AFFECTED_LISTED } from '../../definition/affected-bookings.ts'
import { reasonsShape } from '../shared/affected-booking-schema.ts'
import { atDesk } from '../shared/operation-defaults.ts'
import { strandedList } from './affected-by-definition-queries.ts'

export const listStranded = defineOperation<ListStrandedBookings>({
  ...atDesk,
  id: 'listStrandedBookings',
  rest: 'GET /business/stranded',
  tool: 'usp_business_stranded_list',
  title: 'List affected bookings',
  description:
    'Lists bookings that no longer fit after a change of the business definition or of the rules of its time ' +
    'zone: they are outside hours, or have lost their person, service, location or class. A booking stays until ' +
    `it is moved, canceled or kept (usp_business_bookings_keep). Up to ${MAX_AFFECTED_LISTED}.`,
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
          properties: { booking: shape('Booking'), reasons: reasonsShape },
        },
      },
    },
  },
  summary: ({ total }) => (total === 1 ? 'One booking is affected.' : `${total} bookings are affected.`),
  async handle(context) {
    const rows = await strandedList(context.db, MAX_AFFECTED_LISTED, context.now)
    return {
      total: Number(rows[0]?.total ?? 0),
      stranded: rows.map(({ reasons, total: _, ...row }) => ({ booking: toBooking(row, context), reasons })),
    }
  },
})
