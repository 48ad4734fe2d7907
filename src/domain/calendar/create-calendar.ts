import { zoneOf } from '../../core/business/definition-facts.ts'
import { defineOperation } from '../../protocol/define-operation.ts'
import { invalidInput } from '../../protocol/errors.ts'
import type { CreateCalendar } from '../../protocol/types.generated.ts'
import { createFeed, feedUrl } from './manage-calendar-feeds.ts'
import { calendarShape, onCalendars, toCalendar } from './operation-defaults.ts'

export const createCalendar = defineOperation<CreateCalendar>({
  ...onCalendars,
  id: 'createCalendar',
  rest: 'POST /business/calendars',
  tool: 'usp_business_calendars_create',
  title: 'Create a calendar address',
  description:
    'Creates a secret address at which a calendar program follows the bookings of one person or thing, or of ' +
    'the whole business. Anyone who has it sees names. It is shown only in this answer. It ends when it is ' +
    'revoked, or when the staff member who created it loses access.',
  effect: 'create',
  input: {
    type: 'object',
    properties: {
      resource_id: { type: 'string', minLength: 1, description: 'Whose calendar; the whole business when left out.' },
    },
  },
  output: {
    type: 'object',
    required: ['calendar', 'url'],
    properties: {
      calendar: calendarShape,
      url: { type: 'string', description: 'The secret address. It cannot be shown again.' },
    },
  },
  summary: ({ calendar: { id } }) => `Calendar ${id} was created. Its address is shown only this once.`,
  async handle(context) {
    const { input, caller, db, now, business, config } = context
    const { resource_id } = input
    const { resources = [] } = (await business.get()) ?? {}
    if (resource_id !== undefined && !resources.some(({ id }) => id === resource_id))
      throw invalidInput(`There is no resource with the id ${resource_id}.`, '$.resource_id')
    const maker = { actor: caller.principal, staff: caller.principal.slice('staff:'.length) }
    const { feed, token } = await createFeed(db, resource_id ?? null, maker, now)
    return { calendar: toCalendar(feed, await zoneOf(context)), url: feedUrl(config.baseUrl, token) }
  },
})
