import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { type Payment, type Receipt, withReceipt } from '../pricing/payment-amounts.ts'
import { allocationKeep } from './allocate-booking-slot.ts'
import { type BookingRecord, type BookingRow, type People, releaseOf, type Task } from './booking-row.ts'
import { completed, isPending } from './buyer-tasks.ts'
import { cancel } from './cancel-and-refund.ts'
import { deadline } from './cancel-and-reschedule-rules.ts'
import { saveBooking } from './lock-and-save-booking.ts'

interface TaskCompletion {
  task: Task['type']
  actor: string
  change?: Partial<BookingRecord>
  people?: People
}

export async function completeTask(
  tx: UnitOfWork,
  booking: BookingRow,
  { task, actor, change = {}, people = booking.people }: TaskCompletion,
  now: Date,
): Promise<BookingRow> {
  const record = { ...booking.record, ...change, tasks: completed(booking.record.tasks, task) }
  const waits = isPending(record.tasks)
  const expires_at = waits ? expiryAfterTask(booking, record, now) : null
  const release_at = isPending(record.tasks, 'payment') ? booking.release_at : null
  // Servers can have slightly different clocks. If the clock of another server is ahead, that server may already have
  // expired the booking. Another buyer may then have booked the slot.
  if (!(await allocationKeep(tx, booking, releaseOf({ expires_at, release_at }), now)))
    return cancel(
      tx,
      { ...booking, record: { ...booking.record, ...change, ...withoutReturns(booking, change) } },
      { by: 'system', actor: 'system', action: 'expire' },
      now,
    )
  return saveBooking(
    tx,
    booking,
    {
      change: { record, people, expires_at, release_at, ...(!waits && { step: 'complete_tasks' }) },
      by: { actor, action: `complete_${task}` },
    },
    now,
  )
}

/**
 * Sets the refunded amount of each new payment to zero, even if the buyer paid too much. Afterwards, the server cancels
 * the booking and refunds the whole payment, including the excess.
 */
function withoutReturns({ record }: BookingRow, { payment }: Partial<BookingRecord>): Partial<BookingRecord> {
  if (!payment) return {}
  const known = new Set(record.payment?.received.map(({ id }) => id))
  return {
    payment: {
      ...payment,
      received: payment.received.map((one) => (known.has(one.id) ? one : { ...one, returned: 0 })),
    },
  }
}

/**
 * Returns the deadline of a booking after the buyer completes a task. While the payment is still open, the deadline
 * does not change. After the payment, the buyer can get more time for the other tasks.
 */
function expiryAfterTask({ expires_at, status, starts_at }: BookingRow, record: BookingRecord, now: Date): Date | null {
  const taskDeadline = isPending(record.tasks, 'payment') ? null : deadline(status, { record, starts_at }, now)
  return taskDeadline && expires_at && taskDeadline > expires_at ? taskDeadline : expires_at
}

/**
 * Records a payment and marks the payment task of the booking as completed. `rest` is an amount that the staff allow
 * the buyer to pay later.
 */
export const completePayment = (
  tx: UnitOfWork,
  booking: BookingRow,
  { payment, receipt, rest, actor }: { payment: Payment; receipt: Receipt; rest?: number; actor: string },
  now: Date,
): Promise<BookingRow> =>
  completeTask(tx, booking, { task: 'payment', actor, change: { payment: withReceipt(payment, receipt, rest) } }, now)
