import { sql } from 'kysely'
import type { BookingRow } from '../../bookings/booking-row.ts'
import { cancel } from '../../bookings/cancel.ts'
import { lockAndExpire, lockBooking } from '../../bookings/change-booking.ts'
import { next } from '../../bookings/lifecycle.ts'
import { idOrReference } from '../../bookings/operation-parts.ts'
import type { Change } from '../../db/change.ts'
import { resourcesLock } from '../../ledger/claims.ts'
import { Outcome } from '../../protocol/errors.ts'
import { defineOperation } from '../../protocol/operation.ts'
import type { CancelSeries } from '../../protocol/types.generated.ts'
import { atDesk, ids, reason } from '../shared/operation-parts.ts'
import { MOST_TIMES } from './series-times.ts'

export const cancelSeries = defineOperation<CancelSeries>({
  ...atDesk,
  id: 'cancelSeries',
  rest: 'POST /business/bookings/{booking_id}/series/cancel',
  tool: 'usp_business_bookings_series_cancel',
  title: 'Cancel a booking and what follows in its series',
  description: `Cancels it and those of its series that begin later, ${MOST_TIMES} at most, at no cost; what was paid goes back.`,
  effect: 'remove',
  input: { type: 'object', required: ['booking_id'], properties: { booking_id: idOrReference, reason } },
  output: {
    type: 'object',
    required: ['canceled'],
    properties: { canceled: ids('Those that were canceled, the first first.') },
  },
  summary: ({ canceled }) => `${canceled.length} bookings were canceled.`,
  async handle(context) {
    const { input, db, caller, now } = context
    await db.waitFor('a series')
    const booking = await lockBooking(context, input.booking_id)
    if (booking.series === null) throw new Outcome('invalid_transition', 'It belongs to no series. Cancel it alone.')
    const rows = await followingLock(db, { series: booking.series, from: booking.starts_at }, now)
    await resourcesLock(db, [...new Set(rows.flatMap(({ resource_ids }) => resource_ids))])
    const by = { by: 'business', actor: caller.principal, reason: input.reason } as const
    for (const row of rows) await cancel(db, row, by, now)
    return { canceled: rows.map(({ id }) => id) }
  },
})

/** Those of a series that begin then or later and can still be canceled, the first first. */
async function followingLock(
  tx: Change,
  { series, from }: { series: string; from: Date },
  now: Date,
): Promise<BookingRow[]> {
  const { rows: following } = await sql<{ id: string }>`
    select id from bookings where series = ${series} and starts_at >= ${from}
    order by starts_at, id limit ${MOST_TIMES}`.execute(tx)
  const rows: BookingRow[] = []
  for (const { id } of following) {
    const row = await lockAndExpire(tx, id, undefined, now)
    // Until it was locked it may have been moved to before, begun, or ended.
    if (row && row.starts_at >= from && next(row.status, 'cancel') !== undefined) rows.push(row)
  }
  return rows
}
