import { wireType } from '../../../core/business/definition-facts.ts'
import { dateIn, rfc3339 } from '../../../infra/time/time-zone.ts'
import { defineOperation } from '../../../protocol/define-operation.ts'
import type { GetBusinessDay } from '../../../protocol/types.generated.ts'
import { queryRange } from '../../availability/read-query-range.ts'
import { busySpans } from '../../busy-times/busy-time-queries.ts'
import { atDesk, day } from '../shared/operation-defaults.ts'
import { toBlock } from './block-schema.ts'
import { sessionsList } from './class-session-queries.ts'
import { toSession } from './class-session-schema.ts'
import { blocksOfDay, bookingsOfDay, reservedOfDay } from './day-schedule-queries.ts'
import { toBusy, toDayBooking, toReserved, wholeDayOutput } from './day-schedule-schema.ts'
import { workingSpans } from './working-times-across-locations.ts'

export const readWholeDay = defineOperation<GetBusinessDay>({
  ...atDesk,
  id: 'getBusinessDay',
  rest: 'GET /business/day',
  tool: 'usp_business_day',
  title: 'Read the day of the business',
  description:
    'Returns for one day when all people, rooms and things are available, what occupies them, and who comes. A ' +
    'class stands for all its bookings.',
  effect: 'read',
  input: {
    type: 'object',
    properties: { date: day('The day, YYYY-MM-DD; today when left out.') },
  },
  output: wholeDayOutput,
  summary: ({ date, bookings, sessions }) => `${date}: ${bookings.length} bookings, ${sessions.length} classes.`,
  async handle({ input, db, now, business }) {
    const definition = await business.get()
    const zone = definition?.business.timezone ?? 'UTC'
    const { date = dateIn(zone, now.getTime()) } = input
    const range = queryRange(date, date, zone, 1)
    const working = workingSpans(definition, zone, range)
    const [bookings, blocks, sessions, reserved, busy] = await Promise.all([
      bookingsOfDay(db, { range }, now),
      blocksOfDay(db, { range }),
      sessionsList(db, { range }, now),
      reservedOfDay(db, { range }, now),
      busySpans(db, { range }),
    ])
    return {
      date,
      timezone: zone,
      resources: (definition?.resources ?? []).map((one) => ({
        id: one.id,
        name: one.name,
        type: wireType(one.type),
        there: working(one).map(([from, to]) => ({ start: rfc3339(zone, from), end: rfc3339(zone, to) })),
      })),
      bookings: bookings.map((row) => ({ ...toDayBooking(row), resource_ids: row.resource_ids })),
      blocks: blocks.map((row) => toBlock(row, zone)),
      sessions: sessions.filter(({ canceled_at }) => !canceled_at).map((row) => toSession(row, zone)),
      holds: reserved.map((row) => ({ ...toReserved(row, zone), resource_id: row.resource_id })),
      busy: busy.map((span) => toBusy(span, zone)),
    }
  },
})
