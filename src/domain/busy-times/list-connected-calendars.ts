import { zoneOf } from '../../core/business/definition-facts.ts'
import { defineOperation } from '../../protocol/define-operation.ts'
import type { ListConnectedCalendars } from '../../protocol/types.generated.ts'
import { sourcesList } from './source-queries.ts'
import { onSources, sourceShape, toSource } from './source-schema.ts'

export const listConnectedCalendars = defineOperation<ListConnectedCalendars>({
  ...onSources,
  id: 'listConnectedCalendars',
  rest: 'GET /business/connected_calendars',
  tool: 'usp_business_connected_calendars_list',
  title: 'List connected calendars',
  description: 'Lists the calendars at other providers, with the result of the last read.',
  effect: 'read',
  input: {
    type: 'object',
    properties: { resource_id: { type: 'string', description: 'Only those of this person or thing.' } },
  },
  output: {
    type: 'object',
    required: ['sources'],
    properties: { sources: { type: 'array', items: sourceShape } },
  },
  summary: ({ sources }) => {
    const failing = sources.filter(({ state }) => state === 'failing').length
    const all = sources.length === 1 ? 'One connected calendar' : `${sources.length} connected calendars`
    return failing > 0 ? `${all}. The server cannot read ${failing}.` : `${all}.`
  },
  async handle(context) {
    const { input, db, now } = context
    const zone = await zoneOf(context)
    return { sources: (await sourcesList(db, { resource: input.resource_id }, now)).map((row) => toSource(row, zone)) }
  },
})
