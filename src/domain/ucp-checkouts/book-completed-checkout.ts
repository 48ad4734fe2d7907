import { insertAuditEntry } from '../../core/records/audit-log.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { omitUndefined } from '../../infra/util/object-members.ts'
import { newId } from '../../infra/util/random-bytes.ts'
import type { Stranger } from '../../protocol/caller-types.ts'
import type { ChangeContext } from '../../protocol/define-operation.ts'
import { BusinessRefusal } from '../../protocol/errors.ts'
import { findSlot, refuseOutsideWindow, type Slot } from '../availability/find-slot.ts'
import { type HoldRow, holdLockById, holdStatus } from '../availability/hold-queries.ts'
import { refuseUnfitHold } from '../bookings/allocate-booking-slot.ts'
import { recordEventsOfNewOrder } from '../bookings/booking-events.ts'
import type { BookingRow } from '../bookings/booking-row.ts'
import { peopleOf } from '../bookings/people-of-booking.ts'
import { makeBooking } from '../bookings/store-new-booking.ts'
import { purposeOf, recordFirstPayment } from '../payments/record-payment.ts'
import { type Payment, type Receipt, withReceipt } from '../pricing/payment-amounts.ts'
import { completePeople } from './check-buyer-and-recipient.ts'
import type { CheckoutRow } from './checkout-row.ts'
import { checkout as lifecycle } from './lifecycle.ts'
import { checkoutUpdate } from './queries.ts'

interface Bookable {
  slot: Slot
  hold: HoldRow
}

/**
 * Checks again that the slot of a UCP checkout can be booked, and throws an error if not. The error does not end the
 * hold (the reservation of the slot).
 */
export async function requireBookable(
  { db, business, tag, now }: Pick<ChangeContext, 'db' | 'business' | 'tag' | 'now'>,
  row: CheckoutRow,
): Promise<Bookable> {
  const { service_id: service, agreed, hold_id } = row
  const hold = hold_id === null ? undefined : await holdLockById(db, hold_id)
  const slot = await findSlot(db, await business.get(), { tag, service, id: agreed.slot.id, now })
  if (!hold) throw new BusinessRefusal('hold_expired', 'The hold is gone.')
  await refuseUnfitHold(db, hold, { slot, party: agreed.party }, now)
  // The buyer may pay until the hold ends, even if the minimum notice before the start begins meanwhile.
  refuseOutsideWindow(slot, hold.created_at)
  return { slot, hold }
}

/**
 * Finds the slot of a paid UCP checkout, and the hold (the reservation of the slot) if it is still active. Without an
 * active hold, the server can book the slot only if the slot is still free.
 */
export async function requireSlot(
  { db, business, tag, now }: Pick<ChangeContext, 'db' | 'business' | 'tag' | 'now'>,
  { service_id: service, agreed, hold_id }: CheckoutRow,
): Promise<{ slot: Slot; hold: HoldRow | undefined }> {
  const held = hold_id === null ? undefined : await holdLockById(db, hold_id)
  const slot = await findSlot(db, await business.get(), { tag, service, id: agreed.slot.id, now })
  const isActive = held !== undefined && holdStatus(held, now) === 'active'
  return { slot, hold: isActive ? held : undefined }
}

/** Money that the payment provider has taken for a UCP checkout. */
interface Received {
  provider: string
  reference: string
  amount: number
  currency: string
}

interface Completion {
  slot: Slot
  hold: HoldRow | undefined
  received?: Received
  actor: string
  stranger?: Stranger | undefined
}

export interface BookedCheckout {
  checkout: CheckoutRow
  booking: BookingRow
}

/** Creates the booking of a UCP checkout and completes the checkout, in one transaction. */
export async function bookCheckout(
  tx: UnitOfWork,
  row: CheckoutRow,
  { slot, hold, received, actor, stranger }: Completion,
  now: Date,
): Promise<BookedCheckout> {
  const { id, booking_id: bookingId, order_id, principal, profile, agreed, people } = row
  if (!people) throw new Error(`The checkout ${id} has no people`)
  const receipt = received && receiptOf(received, order_id, now)
  const payment = agreed.payment && receipt ? withReceipt(agreed.payment, receipt) : agreed.payment
  const booking = await makeBooking(
    tx,
    slot,
    {
      principal,
      profile,
      actor,
      party: agreed.party,
      stranger,
      locale: row.locale ?? undefined,
      hasSeparateQueue: row.told_apart,
      ...(hold && { hold }),
      people: { ...peopleOf(completePeople(people)), ...omitUndefined({ answers: people.answers }) },
      checkout: {
        bookingId,
        order: { id: order_id, checkout: id },
        payment,
        ...omitUndefined({ waiver: agreed.waiver, intake: agreed.intake }),
      },
    },
    now,
  )
  if (received && receipt && agreed.payment)
    enterPayment(tx, booking, { received, receipt, agreed: agreed.payment }, now)
  await recordEventsOfNewOrder(tx, booking, now)
  const status = lifecycle.after(row.status, 'complete')
  const checkout: CheckoutRow = { ...row, status, people: null, completed_at: now, updated_at: now }
  await checkoutUpdate(tx, checkout)
  const change = { from: row.status, to: status, detail: { booking: bookingId, order: order_id } }
  insertAuditEntry(tx, { actor, action: 'complete', subject: `checkout ${id}`, ...change }, now)
  return { checkout, booking }
}

const receiptOf = ({ amount, provider, reference }: Received, order: string, now: Date): Receipt => ({
  id: newId('pay'),
  amount,
  returned: 0,
  received_at: now.toISOString(),
  transaction_id: reference,
  order_reference: order,
  provider,
})

/** Stores the payment of a UCP checkout, together with the id of its order. */
function enterPayment(
  tx: UnitOfWork,
  booking: BookingRow,
  { received, receipt, agreed }: { received: Received; receipt: Receipt; agreed: Payment },
  now: Date,
): void {
  const { amount, currency, provider, reference: transaction_id } = received
  const { id, order_reference } = receipt
  const payment = { id, amount, currency, purpose: purposeOf(agreed), source: 'provider' } as const
  const trace = { transaction_id, provider, ...omitUndefined({ order_reference }) }
  recordFirstPayment(tx, booking, { ...payment, ...trace, reported_by: `provider:${provider}` }, now)
}
