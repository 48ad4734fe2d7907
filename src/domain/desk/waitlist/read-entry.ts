import { zoneOf } from '../../../core/business/definition-facts.ts'
import { omitUndefined } from '../../../infra/util/object-members.ts'
import { defineOperation } from '../../../protocol/define-operation.ts'
import { shape } from '../../../protocol/json-schemas.ts'
import type { GetBusinessWaitlistEntry } from '../../../protocol/types.generated.ts'
import { bookingSourceOf, bookingSourceSchema } from '../../bookings/booking-source.ts'
import { entryInput, entrySummary, toEntry } from '../../waitlist/entry-response.ts'
import { readEntry as findEntry } from '../../waitlist/read-and-lock-entry.ts'
import { changeEntries, toChange } from '../shared/audit-log-entries.ts'
import { changesOf } from '../shared/booking-and-change-queries.ts'
import { CHANGES_PAGE } from '../shared/desk-list-limits.ts'
import { onWaitlistAtDesk } from '../shared/operation-defaults.ts'

export const readEntry = defineOperation<GetBusinessWaitlistEntry>({
  ...onWaitlistAtDesk,
  id: 'getBusinessWaitlistEntry',
  rest: 'GET /business/waitlist/{entry_id}',
  tool: 'usp_business_waitlist_get',
  title: 'Read a waitlist entry in full',
  description: 'Returns an entry with the details that only the business sees, and its history.',
  effect: 'read',
  input: entryInput,
  output: {
    type: 'object',
    required: ['entry', 'details', 'changes'],
    properties: {
      entry: shape('WaitlistEntry'),
      details: {
        type: 'object',
        required: ['came_from'],
        description: 'Details that platforms and buyers do not see.',
        properties: {
          came_from: bookingSourceSchema,
          joined_by: { type: 'string', description: 'The platform that created the entry, if one did.' },
          profile: { type: 'string', description: 'Profile of this platform.' },
          slot_id: {
            type: 'string',
            description: 'The one slot that the buyer waits for; missing if any slot will do.',
          },
          booking_id: { type: 'string', description: 'The booking that the entry became.' },
        },
      },
      changes: changeEntries,
    },
  },
  summary: entrySummary,
  async handle(context) {
    const { input, db, tag } = context
    const row = await findEntry(context, input.entry_id)
    const { principal, profile, slot_id, booking_id } = row
    const came_from = bookingSourceOf(principal)
    const zone = await zoneOf(context)
    const changes = await changesOf(db, `entry ${row.id}`, undefined, CHANGES_PAGE.most)
    return {
      entry: toEntry(row, tag, zone),
      details: {
        came_from,
        ...(came_from === 'platform' && { joined_by: principal, profile }),
        ...omitUndefined({ slot_id: slot_id ?? undefined, booking_id: booking_id ?? undefined }),
      },
      changes: changes.map((change) => toChange(change, zone)),
    }
  },
})
