import { wireType } from '../../../core/business/definition-facts.ts'
import { dateIn } from '../../../infra/time/time-zone.ts'
import { defineOperation } from '../../../protocol/define-operation.ts'
import type { GetResourceDay } from '../../../protocol/types.generated.ts'
import { queryRange } from '../../availability/read-query-range.ts'
import { busySpans } from '../../busy-times/busy-time-queries.ts'
import { atDesk, day, notFound } from '../shared/operation-defaults.ts'
import { toBlock } from './block-schema.ts'
import { sessionsList } from './class-session-queries.ts'
import { toSession } from './class-session-schema.ts'
import { blocksOfDay, bookingsOfDay, reservedOfDay } from './day-schedule-queries.ts'
import { dayOutput, toBusy, toDayBooking, toReserved } from './day-schedule-schema.ts'

export const readDay = defineOperation<GetResourceDay>({
  ...atDesk,
  id: 'getResourceDay',
  rest: 'GET /business/resources/{resource_id}/day',
  tool: 'usp_business_resources_day',
  title: 'Read the day of a resource',
  description: 'Returns all that occupies a person, a room or a thing on one day, and who comes.',
  effect: 'read',
  input: {
    type: 'object',
    required: ['resource_id'],
    properties: {
      resource_id: { type: 'string', minLength: 1, description: 'The resource.' },
      date: day('The day, YYYY-MM-DD; today when left out.'),
    },
  },
  output: dayOutput,
  summary: ({ resource, date, bookings, sessions }) =>
    `${resource.name} on ${date}: ${bookings.length} bookings, ${sessions.length} classes.`,
  async handle({ input, db, now, business }) {
    const definition = await business.get()
    const resource = definition?.resources?.find(({ id }) => id === input.resource_id)
    if (!definition || !resource) throw notFound('resource', input.resource_id)
    const zone = definition.business.timezone
    const { date = dateIn(zone, now.getTime()) } = input
    const range = queryRange(date, date, zone, 1)
    const { id, name, type } = resource
    const query = { range, resource: id }
    const [bookings, blocks, sessions, reserved, busy] = await Promise.all([
      bookingsOfDay(db, query, now),
      blocksOfDay(db, query),
      sessionsList(db, { resource: id, range }, now),
      reservedOfDay(db, query, now),
      busySpans(db, { range, resources: [id] }),
    ])
    return {
      resource: { id, name, type: wireType(type) },
      date,
      timezone: zone,
      bookings: bookings.map(toDayBooking),
      blocks: blocks.map((row) => toBlock(row, zone)),
      sessions: sessions.filter(({ canceled_at }) => !canceled_at).map((row) => toSession(row, zone)),
      holds: reserved.map((row) => toReserved(row, zone)),
      busy: busy.map((span) => toBusy(span, zone)),
    }
  },
})
