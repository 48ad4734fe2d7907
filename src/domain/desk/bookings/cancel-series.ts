import { defineOperation } from '../../../protocol/define-operation.ts'
import type { CancelSeries } from '../../../protocol/types.generated.ts'
import { idOrReference } from '../../bookings/booking-response.ts'
import type { BookingRow } from '../../bookings/booking-row.ts'
import { cancel } from '../../bookings/cancel-and-refund.ts'
import { lockBooking } from '../../bookings/lock-and-save-booking.ts'
import { isPossible } from '../../bookings/operations-by-status.ts'
import { atDesk, ids, reason } from '../shared/operation-defaults.ts'
import { MOST_TIMES } from './booking-series-times.ts'
import { lockFollowing } from './lock-series-bookings.ts'

export const cancelSeries = defineOperation<CancelSeries>({
  ...atDesk,
  id: 'cancelSeries',
  rest: 'POST /business/bookings/{booking_id}/series/cancel',
  tool: 'usp_business_bookings_series_cancel',
  title: 'Cancel a booking and the later ones of its series',
  description:
    `Cancels a booking and all later bookings of its series, at most ${MOST_TIMES}, at no cost. Payments are ` +
    'refunded.',
  effect: 'remove',
  input: { type: 'object', required: ['booking_id'], properties: { booking_id: idOrReference, reason } },
  output: {
    type: 'object',
    required: ['canceled'],
    properties: { canceled: ids('The canceled bookings, earliest first.') },
  },
  summary: ({ canceled }) => `${canceled.length} bookings were canceled.`,
  async handle(context) {
    const { input, db, caller, now } = context
    await db.waitForSlot('a series')
    const booking = await lockBooking(context, input.booking_id)
    const can = (row: BookingRow) => isPossible('cancel', row)
    const rows = await lockFollowing(db, booking, { can }, now)
    const by = { by: 'business', actor: caller.principal, reason: input.reason } as const
    for (const row of rows) await cancel(db, row, by, now)
    return { canceled: rows.map(({ id }) => id) }
  },
})
