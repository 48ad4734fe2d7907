import { zoneOf } from '../../core/business/definition-facts.ts'
import { insertAuditEntry } from '../../core/records/audit-log.ts'
import { defineOperation } from '../../protocol/define-operation.ts'
import type { RefreshConnectedCalendar } from '../../protocol/types.generated.ts'
import { sourceRefresh, sourcesList } from './source-queries.ts'
import { noSource, onSources, sourceInput, sourceOutput, toSource } from './source-schema.ts'

export const refreshConnectedCalendar = defineOperation<RefreshConnectedCalendar>({
  ...onSources,
  id: 'refreshConnectedCalendar',
  rest: 'POST /business/connected_calendars/{source_id}/refresh',
  tool: 'usp_business_connected_calendars_refresh',
  title: 'Read a connected calendar now',
  description: 'Reads a connected calendar within seconds. The list shows the result.',
  effect: 'update',
  input: sourceInput,
  output: sourceOutput,
  summary: ({ source: { name } }) => `${name} is being read.`,
  async handle(context) {
    const { input, caller, db, now } = context
    const { source_id: id } = input
    if (!(await sourceRefresh(db, id, now))) throw noSource(id)
    const [row] = await sourcesList(db, { id }, now)
    if (!row) throw noSource(id)
    const by = { actor: caller.principal, action: 'refresh_calendar', subject: `connected_calendar ${id}` }
    insertAuditEntry(db, { ...by, from: null, to: null }, now)
    return { source: toSource(row, await zoneOf(context)) }
  },
})
