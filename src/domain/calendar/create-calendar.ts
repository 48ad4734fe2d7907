import { zoneOf } from '../../core/business/zone-of.ts'
import { BusinessRefusal } from '../../protocol/errors.ts'
import { defineOperation } from '../../protocol/operation.ts'
import type { CreateCalendar } from '../../protocol/types.generated.ts'
import { createFeed } from './create-feed.ts'
import { feedUrl } from './feed-url.ts'
import { calendarShape, onCalendars, toCalendar } from './operation-parts.ts'

export const createCalendar = defineOperation<CreateCalendar>({
  ...onCalendars,
  id: 'createCalendar',
  rest: 'POST /business/calendars',
  tool: 'usp_business_calendars_create',
  title: 'Make a calendar address',
  description:
    'Makes a secret address at which a calendar program follows the bookings of one person or thing, or of the whole ' +
    'business. Whoever knows the address sees names; it is told once and ends when it is revoked, or when who made it ' +
    'leaves.',
  effect: 'create',
  input: {
    type: 'object',
    properties: {
      resource_id: { type: 'string', minLength: 1, description: 'Whose calendar; all when left out.' },
    },
  },
  output: {
    type: 'object',
    required: ['calendar', 'url'],
    properties: {
      calendar: calendarShape,
      url: { type: 'string', description: 'The secret address. It cannot be asked for again.' },
    },
  },
  summary: ({ calendar: { id } }) => `Calendar ${id} is there. Its address is told this once.`,
  async handle(context) {
    const { input, caller, db, now, business, config } = context
    const { resource_id } = input
    const { resources = [] } = (await business.get()) ?? {}
    if (resource_id !== undefined && !resources.some(({ id }) => id === resource_id))
      throw new BusinessRefusal('validation_error', `There is no resource with the id ${resource_id}.`, '$.resource_id')
    const maker = { actor: caller.principal, staff: caller.principal.slice('staff:'.length) }
    const { feed, token } = await createFeed(db, resource_id ?? null, maker, now)
    return { calendar: toCalendar(feed, await zoneOf(context)), url: feedUrl(config.baseUrl, token) }
  },
})
