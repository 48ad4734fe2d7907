import { rfc3339 } from '../../../infra/time/time-zone.ts'
import { defineOperation } from '../../../protocol/define-operation.ts'
import type { PlanSeries } from '../../../protocol/types.generated.ts'
import { idOrReference } from '../../bookings/booking-response.ts'
import { readBooking } from '../../bookings/lock-and-save-booking.ts'
import { atDesk, moment } from '../shared/operation-defaults.ts'
import { MOST_TIMES, startsOfSeries, whyNot } from './booking-series-times.ts'

export const planSeries = defineOperation<PlanSeries>({
  ...atDesk,
  id: 'planSeries',
  rest: 'POST /business/bookings/{booking_id}/series/plan',
  tool: 'usp_business_bookings_series_plan',
  title: 'Check when a booking can be repeated',
  description:
    'Says at which times a booking could be repeated, at an interval of some weeks. It books nothing: book the ' +
    'available times with usp_business_bookings_series_book.',
  effect: 'read',
  input: {
    type: 'object',
    required: ['booking_id', 'every_weeks', 'times'],
    properties: {
      booking_id: idOrReference,
      every_weeks: { type: 'integer', minimum: 1, maximum: 52, description: 'Interval in weeks.' },
      times: {
        type: 'integer',
        minimum: 1,
        maximum: MOST_TIMES,
        description: 'Number of repetitions, without the booking itself.',
      },
    },
  },
  output: {
    type: 'object',
    required: ['dates'],
    properties: {
      dates: {
        type: 'array',
        description: 'The times, earliest first.',
        items: {
          type: 'object',
          required: ['start', 'works'],
          properties: {
            start: moment('When the repetition would begin.'),
            works: { type: 'boolean', description: 'Whether it is available.' },
            why: { type: 'string', description: 'Why it is not available.' },
          },
        },
      },
    },
  },
  summary: ({ dates }) => `${dates.filter(({ works }) => works).length} of ${dates.length} times are available.`,
  async handle(context) {
    const { booking_id, every_weeks: weeks, times } = context.input
    const booking = await readBooking(context, booking_id)
    const { zone } = booking.record
    const dates: PlanSeries['output']['dates'] = []
    for (const start of startsOfSeries(zone, booking.starts_at.getTime(), { weeks, times })) {
      const why = await whyNot(context, booking, start)
      dates.push({ start: rfc3339(zone, start), works: why === undefined, ...(why !== undefined && { why }) })
    }
    return { dates }
  },
})
