import { zoneOf } from '../../core/business/definition-facts.ts'
import { defineOperation } from '../../protocol/define-operation.ts'
import { shape } from '../../protocol/json-schemas.ts'
import { fittingPage } from '../../protocol/limit-page-size.ts'
import { canonical } from '../../protocol/parse-json-safely.ts'
import type { ListWaitlistEntries } from '../../protocol/types.generated.ts'
import { entryAsOf, toEntry } from './entry-response.ts'
import { entryList } from './queries.ts'

const PAGE = { usual: 50, most: 200 }
const CURSOR_SECONDS = 60 * 60

export const listWaitlistEntries = defineOperation<ListWaitlistEntries>({
  id: 'listWaitlistEntries',
  rest: 'POST /waitlist/list',
  tool: 'usp_waitlist_list',
  title: 'List waitlist entries',
  description: "Lists the caller's own entries, oldest first.",
  capability: 'dev.usp-protocol.services.waitlist',
  access: 'privileged_platform',
  effect: 'read',
  input: {
    type: 'object',
    properties: {
      service_id: { type: 'string', description: 'Only entries for this service.' },
      status: {
        enum: ['waiting', 'offered', 'accepted', 'expired', 'declined', 'removed'],
        description: 'Only entries in this status.',
      },
      pagination: {
        type: 'object',
        properties: {
          cursor: {
            type: ['string', 'null'],
            description: 'Cursor of the previous page, if any.',
          },
          limit: { type: 'integer', minimum: 1, default: PAGE.usual, description: 'Entries per page.' },
        },
        description: `Which page to return; at most ${PAGE.most} entries.`,
      },
    },
  },
  output: {
    type: 'object',
    required: ['entries', 'pagination'],
    properties: {
      entries: { type: 'array', items: shape('WaitlistEntry') },
      pagination: {
        type: 'object',
        required: ['total'],
        properties: {
          next_cursor: { type: 'string', description: 'Cursor of the next page; missing on the last page.' },
          total: { type: 'integer', description: 'How many entries match in all.' },
        },
      },
    },
  },
  summary: ({ entries, pagination: { total } }) =>
    `${total} waitlist ${total === 1 ? 'entry' : 'entries'}${entries.length > 0 ? `: ${entries.map(({ id }) => id).join(', ')}` : ''}.`,
  async handle(context) {
    const { input, caller, db, now, cursors, tag } = context
    const { service_id: serviceId, status, pagination = {} } = input
    const scope = canonical(['listWaitlistEntries', caller.principal, { serviceId, status }])
    const limit = Math.min(pagination.limit ?? PAGE.usual, PAGE.most)
    const [after] = pagination.cursor ? cursors.open(scope, pagination.cursor, now, CURSOR_SECONDS) : []
    const filter = { serviceId, status, after: after as string | undefined, limit: limit + 1 }
    const { entries: rows, total } = await entryList(db, caller, filter, now)
    const zone = await zoneOf(context)
    const { page, end } = fittingPage(rows, limit, (row) => toEntry(entryAsOf(row, now), tag, zone))
    return {
      entries: page,
      pagination: { ...(end && { next_cursor: cursors.seal(scope, [end.number], now) }), total },
    }
  },
})
