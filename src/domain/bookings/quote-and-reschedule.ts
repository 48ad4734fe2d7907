import type { Database } from '../../infra/db/database.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import type { Stranger } from '../../protocol/caller-types.ts'
import type { Tag } from '../../protocol/keyed-digest.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { slotUnavailable } from '../availability/allocate-slot.ts'
import { findSlot, refuseOutsideWindow, type Slot } from '../availability/find-slot.ts'
import type { HoldRow } from '../availability/hold-queries.ts'
import { planOf } from '../availability/service-scheduling-plan.ts'
import { readSlotId } from '../availability/time-slot-response.ts'
import { totalOf } from '../pricing/payment-amounts.ts'
import { refuseUnfitHold } from './allocate-booking-slot.ts'
import { moveBooking, needsNewPayment, paymentAfterMove } from './apply-booking-move.ts'
import type { BookingRow } from './booking-row.ts'
import { reschedulingFee } from './cancel-and-reschedule-rules.ts'

export interface MoveRequest {
  definition: BusinessDefinition | undefined
  tag: Tag
  slotId: string
  hold?: HoldRow | undefined
}

export async function reschedule(
  tx: UnitOfWork,
  booking: BookingRow,
  { actor, stranger, ...request }: MoveRequest & { actor: string; stranger: Stranger | undefined },
  now: Date,
): Promise<BookingRow> {
  const { slot, fee } = await planMove(tx, booking, request, now)
  return moveBooking(tx, booking, { slot, hold: request.hold, fee, actor, stranger }, now)
}

/** The costs of moving a booking to another slot, in minor units such as cents. */
export interface MoveCosts {
  fee: number
  /** The amount that the buyer must pay after the move. The booking is not confirmed until the buyer pays. */
  due: number
  refund: number
  /** The total price with tax after the move. Undefined if the service is free. */
  price: number | undefined
}

/**
 * Returns the new slot and the costs of a move, but does not move the booking. Throws an error if the rules forbid the
 * move.
 */
export async function quoteMove(
  db: Database,
  booking: BookingRow,
  request: MoveRequest,
  now: Date,
): Promise<{ slot: Slot; costs: MoveCosts }> {
  const { slot, fee } = await planMove(db, booking, request, now)
  const { payment, refund } = paymentAfterMove(booking, slot, { fee, hold: request.hold })
  const due = payment && needsNewPayment(booking, payment) ? payment.due : 0
  return { slot, costs: { fee, due, refund, price: payment && totalOf(payment) } }
}

async function planMove(db: Database, booking: BookingRow, { definition, tag, slotId, hold }: MoveRequest, now: Date) {
  const fee = reschedulingFee(booking, now)
  const service_id = booking.service_id
  const key = readSlotId(tag, slotId)
  if (key && key.service !== service_id) throw slotUnavailable()
  // A request to move a booking does not name the service. If the service no longer exists, the error is therefore
  // "slot unavailable" and not "unknown service".
  if (!planOf(definition, service_id)) throw slotUnavailable()
  const slot = await findSlot(db, definition, { tag, service: service_id, id: slotId, now })
  const own = { kind: 'booking', id: booking.id } as const
  if (hold) await refuseUnfitHold(db, hold, { slot, party: booking.record.party_size, own }, now)
  else refuseOutsideWindow(slot, now)
  return { slot, fee }
}
