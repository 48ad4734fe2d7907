import { zoneOf } from '../../core/business/definition-facts.ts'
import { defineOperation } from '../../protocol/define-operation.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { RevokeCalendar } from '../../protocol/types.generated.ts'
import { revokeFeed } from './manage-calendar-feeds.ts'
import { calendarShape, onCalendars, toCalendar } from './operation-defaults.ts'

export const revokeCalendar = defineOperation<RevokeCalendar>({
  ...onCalendars,
  id: 'revokeCalendar',
  rest: 'DELETE /business/calendars/{calendar_id}',
  tool: 'usp_business_calendars_revoke',
  title: 'Revoke a calendar address',
  description: 'Ends a calendar. Its address no longer works.',
  effect: 'remove',
  input: {
    type: 'object',
    required: ['calendar_id'],
    properties: { calendar_id: { type: 'string', minLength: 1, description: 'Id of the calendar.' } },
  },
  output: { type: 'object', required: ['calendar'], properties: { calendar: calendarShape } },
  summary: ({ calendar: { id } }) => `Calendar ${id} is revoked.`,
  async handle(context) {
    const { input, caller, db, now } = context
    const { calendar_id: id } = input
    const feed = await revokeFeed(db, id, { actor: caller.principal }, now)
    if (!feed) throw new ProtocolError('not_found', `There is no calendar ${id}.`)
    return { calendar: toCalendar(feed, await zoneOf(context)) }
  },
})
