import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import type { Stranger } from '../../protocol/caller-types.ts'
import type { Slot } from '../availability/find-slot.ts'
import type { HoldRow } from '../availability/hold-queries.ts'
import { namedResources } from '../availability/time-slot-response.ts'
import { movedPayment, paymentFor } from '../pricing/booking-price.ts'
import { type Payment, takesPayment, withRefund } from '../pricing/payment-amounts.ts'
import { reallocateBooking } from './allocate-booking-slot.ts'
import type { BookingRow } from './booking-row.ts'
import { tasksOf } from './buyer-tasks.ts'
import { deadline } from './cancel-and-reschedule-rules.ts'
import { after } from './lifecycle.ts'
import { saveBooking } from './lock-and-save-booking.ts'
import type { MailAboutMove } from './notification-rules.ts'

interface Move {
  slot: Slot
  hold: HoldRow | undefined
  fee: number
  actor: string
  stranger?: Stranger | undefined
  /**
   * Set if the staff move the booking. A move by the staff does not count toward the maximum number of moves, and
   * changes no payment. `overridden` lists the rules of the business that the staff ignore.
   */
  byStaff?: { overridden: string[]; mail?: MailAboutMove | undefined }
}

export const paymentAfterMove = (
  { record }: Pick<BookingRow, 'record'>,
  slot: Slot,
  { fee, hold }: { fee: number; hold?: HoldRow | undefined },
) => movedPayment(record.payment, paymentFor(slot, record.party_size, hold?.price), fee)

/**
 * Tells whether the buyer must pay again after the move of a booking, for example because the new slot costs more. Only
 * a confirmed booking without an open payment can need another payment.
 */
export const needsNewPayment = (
  { status, record }: Pick<BookingRow, 'status' | 'record'>,
  after: Payment | undefined,
) => status === 'confirmed' && record.payment?.due === 0 && takesPayment(after) && after.due > 0

export async function moveBooking(
  tx: UnitOfWork,
  booking: BookingRow,
  { slot, hold, fee, actor, stranger, byStaff }: Move,
  now: Date,
) {
  const { record } = booking
  const { payment, refund } = byStaff
    ? { payment: record.payment, refund: 0 }
    : paymentAfterMove(booking, slot, { fee, hold })
  const paid = payment && refund > 0 ? withRefund(payment, refund) : payment
  const owing = !byStaff && needsNewPayment(booking, paid)
  const tasks = owing && paid ? tasksOf({ payment: paid }) : record.tasks
  const status = owing ? after(booking.status, 'ask') : booking.status
  const starts_at = new Date(slot.time.start)
  const changed = { ...record, tasks, slot_id: slot.id, ...(paid && { payment: paid }) }
  // The business must approve a pending booking before its deadline, which counts from the creation of the booking. A
  // move does not extend this deadline.
  const since = status === 'pending' ? booking.created_at : now
  const expires_at = owing || booking.expires_at ? deadline(status, { record: changed, starts_at }, since) : null

  const { resources, session } = await reallocateBooking(tx, booking, slot, {
    party: record.party_size,
    hold,
    until: expires_at,
    now,
  })
  const { location: _, ...rest } = changed
  const overridden = [...new Set([...(record.overridden ?? []), ...(byStaff?.overridden ?? [])])]
  const place = record.location && slot.plan.business.locations?.find(({ id }) => id === slot.time.location)
  return saveBooking(
    tx,
    booking,
    {
      change: {
        starts_at,
        ends_at: new Date(slot.time.end),
        expires_at,
        release_at: null,
        ...(owing && { step: 'ask' }),
        resource_ids: resources,
        session_id: session ?? null,
        record: {
          ...rest,
          ...(place && { location: { id: place.id, name: place.name } }),
          resources: namedResources(slot.plan, session === undefined ? resources : slot.time.picks),
          reschedules: record.reschedules + (byStaff ? 0 : 1),
          sequence: record.sequence + 1,
          ...(overridden.length > 0 && { overridden }),
        },
      },
      by: {
        actor,
        action: 'reschedule',
        stranger,
        mail: byStaff?.mail,
        detail: {
          from: booking.starts_at,
          to: starts_at,
          fee,
          refund,
          ...(byStaff?.overridden.length && { overridden: byStaff.overridden }),
        },
      },
    },
    now,
  )
}
