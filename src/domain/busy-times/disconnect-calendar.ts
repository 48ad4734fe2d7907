import { zoneOf } from '../../core/business/definition-facts.ts'
import { defineOperation } from '../../protocol/define-operation.ts'
import type { DisconnectCalendar } from '../../protocol/types.generated.ts'
import { disconnectSource } from './disconnect-source.ts'
import { noSource, onSources, sourceInput, sourceOutput, toSource } from './source-schema.ts'

export const disconnectCalendar = defineOperation<DisconnectCalendar>({
  ...onSources,
  id: 'disconnectCalendar',
  rest: 'DELETE /business/connected_calendars/{source_id}',
  tool: 'usp_business_connected_calendars_disconnect',
  title: 'Disconnect a calendar',
  description: 'Deletes a connected calendar and its address. Its events no longer block time here.',
  role: 'manager',
  effect: 'remove',
  input: sourceInput,
  output: sourceOutput,
  summary: ({ source: { name } }) => `${name} is disconnected.`,
  async handle(context) {
    const { input, caller, db, now } = context
    const row = await disconnectSource(db, input.source_id, caller.principal, now)
    if (!row) throw noSource(input.source_id)
    return { source: toSource(row, await zoneOf(context)) }
  },
})
