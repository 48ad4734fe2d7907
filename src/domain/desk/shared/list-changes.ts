import { defineOperation } from '../../../protocol/define-operation.ts'
import { shape } from '../../../protocol/json-schemas.ts'
import { canonical } from '../../../protocol/parse-json-safely.ts'
import type { ListBusinessBookingChanges } from '../../../protocol/types.generated.ts'
import { idOrReference } from '../../bookings/booking-response.ts'
import { readBooking } from '../../bookings/lock-and-save-booking.ts'
import { changeEntries, toChange } from './audit-log-entries.ts'
import { changesOf } from './booking-and-change-queries.ts'
import { CHANGES_PAGE, DESK_CURSOR_SECONDS } from './desk-list-limits.ts'
import { atDesk } from './operation-defaults.ts'

export const listChanges = defineOperation<ListBusinessBookingChanges>({
  ...atDesk,
  id: 'listBusinessBookingChanges',
  rest: 'GET /business/bookings/{booking_id}/changes',
  tool: 'usp_business_bookings_changes',
  title: 'List the changes of a booking',
  description: 'Lists who changed the booking, when and how. Entries are never removed.',
  effect: 'read',
  input: {
    type: 'object',
    required: ['booking_id'],
    properties: {
      booking_id: idOrReference,
      cursor: {
        type: ['string', 'null'],
        description: 'Cursor of the previous page, if any.',
      },
      limit: { type: 'integer', minimum: 1, default: CHANGES_PAGE.usual, description: 'Changes per page.' },
    },
  },
  output: {
    type: 'object',
    required: ['changes', 'pagination'],
    properties: { changes: changeEntries, pagination: shape('Pagination') },
  },
  summary: ({ changes }) => (changes.length === 1 ? 'One change.' : `${changes.length} changes.`),
  async handle(context) {
    const { input, db, now, cursors } = context
    const { booking_id, cursor, limit = CHANGES_PAGE.usual } = input
    const { id, record } = await readBooking(context, booking_id)
    const scope = canonical(['listBusinessBookingChanges', id])
    const [after] = cursor ? cursors.open(scope, cursor, now, DESK_CURSOR_SECONDS) : []
    const size = Math.min(limit, CHANGES_PAGE.most)
    const rows = await changesOf(db, `booking ${id}`, after === undefined ? undefined : String(after), size + 1)
    const page = rows.slice(0, size)
    const last = rows.length > size ? page.at(-1) : undefined
    return {
      changes: page.map((change) => toChange(change, record.zone)),
      pagination: { cursor: last ? cursors.seal(scope, [last.number], now) : null, has_more: last !== undefined },
    }
  },
})
