import { zoneOf } from '../../../core/business/definition-facts.ts'
import { defineOperation } from '../../../protocol/define-operation.ts'
import { shape } from '../../../protocol/json-schemas.ts'
import { fittingPage } from '../../../protocol/limit-page-size.ts'
import { canonical } from '../../../protocol/parse-json-safely.ts'
import type { ListBusinessWaitlist } from '../../../protocol/types.generated.ts'
import { bookingSourceSchema } from '../../bookings/booking-source.ts'
import { entryAsOf, toEntry } from '../../waitlist/entry-response.ts'
import { DESK_CURSOR_SECONDS, ENTRY_PAGE } from '../shared/desk-list-limits.ts'
import { onWaitlistAtDesk } from '../shared/operation-defaults.ts'
import { type EntryPosition, entriesList } from './entry-queries.ts'

export const listEntries = defineOperation<ListBusinessWaitlist>({
  ...onWaitlistAtDesk,
  id: 'listBusinessWaitlist',
  rest: 'POST /business/waitlist/list',
  tool: 'usp_business_waitlist_list',
  title: 'List the waitlist',
  description: 'Lists the waitlist entries from all sources, by service, the next first.',
  effect: 'read',
  input: {
    type: 'object',
    properties: {
      service_id: { type: 'string', description: 'Only entries for this service.' },
      statuses: {
        type: 'array',
        items: { enum: ['waiting', 'offered', 'accepted', 'expired', 'declined', 'removed'] },
        minItems: 1,
        uniqueItems: true,
        description: 'Only entries in one of these statuses; waiting and offered ones when left out.',
      },
      came_from: { ...bookingSourceSchema, description: 'Only entries from this source.' },
      cursor: {
        type: ['string', 'null'],
        description: 'Cursor of the previous page, if any.',
      },
      limit: { type: 'integer', minimum: 1, default: ENTRY_PAGE.usual, description: 'Entries per page.' },
    },
  },
  output: {
    type: 'object',
    required: ['entries', 'pagination'],
    properties: { entries: { type: 'array', items: shape('WaitlistEntry') }, pagination: shape('Pagination') },
  },
  summary: ({ entries }) => (entries.length === 1 ? 'One entry.' : `${entries.length} entries.`),
  async handle(context) {
    const { input, db, now, cursors, tag } = context
    const {
      service_id: service,
      statuses = ['waiting', 'offered'],
      came_from,
      cursor,
      limit = ENTRY_PAGE.usual,
    } = input
    const filters = { service, statuses, ...(came_from && { bookingSource: came_from }) }
    const scope = canonical(['listBusinessWaitlist', filters])
    const after = cursor ? (cursors.open(scope, cursor, now, DESK_CURSOR_SECONDS) as EntryPosition) : undefined
    const size = Math.min(limit, ENTRY_PAGE.most)
    const rows = await entriesList(db, { ...filters, after, limit: size + 1 }, now)
    const zone = await zoneOf(context)
    const { page, end } = fittingPage(rows, size, (row) => toEntry(entryAsOf(row, now), tag, zone))
    return {
      entries: page,
      pagination: {
        cursor: end ? cursors.seal(scope, [end.service_id, end.queue], now) : null,
        has_more: end !== undefined,
      },
    }
  },
})
