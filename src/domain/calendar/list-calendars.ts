import { zoneOf } from '../../core/business/definition-facts.ts'
import { defineOperation } from '../../protocol/define-operation.ts'
import type { ListCalendars } from '../../protocol/types.generated.ts'
import { calendarShape, onCalendars, toCalendar } from './operation-defaults.ts'
import { feedList } from './queries.ts'

export const listCalendars = defineOperation<ListCalendars>({
  ...onCalendars,
  id: 'listCalendars',
  rest: 'GET /business/calendars',
  tool: 'usp_business_calendars_list',
  title: 'List calendar addresses',
  description: 'Lists the calendars that can be followed, without their addresses.',
  effect: 'read',
  input: { type: 'object', properties: {} },
  output: {
    type: 'object',
    required: ['calendars'],
    properties: { calendars: { type: 'array', items: calendarShape } },
  },
  summary: ({ calendars }) => (calendars.length === 1 ? 'One calendar.' : `${calendars.length} calendars.`),
  async handle(context) {
    const zone = await zoneOf(context)
    return { calendars: (await feedList(context.db)).map((feed) => toCalendar(feed, zone)) }
  },
})
