import { zoneOf } from '../../../core/business/definition-facts.ts'
import { defineOperation } from '../../../protocol/define-operation.ts'
import type { ListSessions } from '../../../protocol/types.generated.ts'
import { queryRange } from '../../availability/read-query-range.ts'
import { SESSION_DAYS } from '../shared/desk-list-limits.ts'
import { atDesk, day } from '../shared/operation-defaults.ts'
import { sessionsList } from './class-session-queries.ts'
import { sessionShape, toSession } from './class-session-schema.ts'

export const listSessions = defineOperation<ListSessions>({
  ...atDesk,
  id: 'listSessions',
  rest: 'GET /business/sessions',
  tool: 'usp_business_sessions_list',
  title: 'List classes',
  description: `Lists the classes of at most ${SESSION_DAYS} days, with their times and numbers of places.`,
  effect: 'read',
  input: {
    type: 'object',
    required: ['start_date', 'end_date'],
    properties: {
      start_date: day('First day, YYYY-MM-DD.'),
      end_date: day('Last day, inclusive.'),
      service_id: { type: 'string', description: 'Only classes of this service.' },
    },
  },
  output: {
    type: 'object',
    required: ['sessions'],
    properties: { sessions: { type: 'array', items: sessionShape, description: 'Classes, earliest first.' } },
  },
  summary: ({ sessions }) => (sessions.length === 1 ? 'One class.' : `${sessions.length} classes.`),
  async handle({ input: { start_date, end_date, service_id: service }, db, now, business }) {
    const zone = await zoneOf({ business })
    const range = queryRange(start_date, end_date, zone, SESSION_DAYS)
    const rows = await sessionsList(db, { service, range }, now)
    return { sessions: rows.map((row) => toSession(row, zone)) }
  },
})
