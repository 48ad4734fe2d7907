import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { plainText } from '../../infra/util/plain-text.ts'
import { withRefund } from '../pricing/payment-amounts.ts'
import { allocationEnd } from './allocate-booking-slot.ts'
import type { BookingRow } from './booking-row.ts'
import { type Canceler, cancellationTerms } from './cancel-and-reschedule-rules.ts'
import { saveBooking } from './lock-and-save-booking.ts'

/**
 * Cancels a booking, releases its slot, and refunds money according to the agreed cancellation terms. If the booking is
 * already canceled, nothing changes.
 */
export async function cancel(
  tx: UnitOfWork,
  booking: BookingRow,
  {
    by,
    actor,
    reason,
    action = 'cancel',
  }: { by: Canceler; actor: string; reason?: string | undefined; action?: 'cancel' | 'decline' | 'expire' },
  now: Date,
): Promise<BookingRow> {
  if (booking.status === 'canceled') return booking
  const { fee, refund } = cancellationTerms(booking, by, now)
  const { record } = booking
  await allocationEnd(tx, booking)
  const cancellation = {
    ...(reason !== undefined && { reason: plainText(reason) }),
    canceled_by: by,
    fee,
    refund_amount: refund,
    canceled_at: now.toISOString(),
  }
  return saveBooking(
    tx,
    booking,
    {
      change: {
        step: action,
        expires_at: null,
        release_at: null,
        record: {
          ...record,
          tasks: [],
          sequence: record.sequence + 1,
          cancellation,
          ...(record.payment && { payment: withRefund(record.payment, refund) }),
        },
      },
      by: { actor, action, detail: { fee, refund } },
    },
    now,
  )
}
