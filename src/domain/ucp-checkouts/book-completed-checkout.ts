import { insertAuditEntry } from '../../core/records/audit-log.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { omitUndefined } from '../../infra/util/object-members.ts'
import { newId } from '../../infra/util/random-bytes.ts'
import type { Stranger } from '../../protocol/caller-types.ts'
import type { ChangeContext } from '../../protocol/define-operation.ts'
import { BusinessRefusal } from '../../protocol/errors.ts'
import { slotUnavailable } from '../availability/allocate-slot.ts'
import { findSlot, refuseOutsideWindow, type Slot } from '../availability/find-slot.ts'
import { type HoldRow, holdLockById, holdStatus } from '../availability/hold-queries.ts'
import { planOf } from '../availability/service-scheduling-plan.ts'
import { refuseUnfitHold } from '../bookings/allocate-booking-slot.ts'
import { recordEventsOfNewOrder } from '../bookings/booking-events.ts'
import type { BookingRow } from '../bookings/booking-row.ts'
import { peopleOf } from '../bookings/people-of-booking.ts'
import { makeBooking } from '../bookings/store-new-booking.ts'
import { refundInsert } from '../payments/queries.ts'
import { purposeOf, recordFirstPayment } from '../payments/record-payment.ts'
import { type Payment, type Receipt, withReceipt } from '../pricing/payment-amounts.ts'
import type { Settlement } from './charge-queries.ts'
import { completePeople } from './check-buyer-and-recipient.ts'
import { type CheckoutRow, dueNow } from './checkout-row.ts'
import { checkout as lifecycle } from './lifecycle.ts'
import { checkoutUpdate } from './queries.ts'

type SlotContext = Pick<ChangeContext, 'db' | 'business' | 'tag' | 'now'>

interface Bookable {
  slot: Slot
  hold: HoldRow
}

/**
 * Checks again that the slot of a UCP checkout can be booked, and throws an error if not. The error does not end the
 * hold (the reservation of the slot).
 */
export async function requireBookable(context: SlotContext, row: CheckoutRow): Promise<Bookable> {
  const { db, now } = context
  const { agreed, hold_id } = row
  const hold = hold_id === null ? undefined : await holdLockById(db, hold_id)
  const slot = await slotOf(context, row)
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
  context: SlotContext,
  row: CheckoutRow,
): Promise<{ slot: Slot; hold: HoldRow | undefined }> {
  const { db, now } = context
  const { hold_id } = row
  const held = hold_id === null ? undefined : await holdLockById(db, hold_id)
  const slot = await slotOf(context, row)
  const isActive = held !== undefined && holdStatus(held, now) === 'active'
  return { slot, hold: isActive ? held : undefined }
}

/**
 * Finds the slot of a UCP checkout. If the business has removed the service, the slot is unavailable. The request does
 * not name the service, so an error about the service would not help the platform.
 */
async function slotOf(
  { db, business, tag, now }: SlotContext,
  { service_id: service, agreed }: CheckoutRow,
): Promise<Slot> {
  const definition = await business.get()
  if (!planOf(definition, service)) throw slotUnavailable()
  return findSlot(db, definition, { tag, service, id: agreed.slot.id, now })
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
  /** The new state of the charge that paid for the checkout. */
  settlement?: Settlement
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
  { slot, hold, received, settlement, actor, stranger }: Completion,
  now: Date,
): Promise<BookedCheckout> {
  const { id, booking_id: bookingId, order_id, principal, profile, agreed, people } = row
  if (!people) throw new Error(`The checkout ${id} has no people`)
  const receipt = received && receiptOf(received, row, now)
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
        terms: agreed.terms,
        confirmation_mode: agreed.confirmation_mode,
        ...omitUndefined({ waiver: agreed.waiver, intake: agreed.intake }),
      },
    },
    now,
  )
  if (received && receipt && agreed.payment)
    await enterPayment(tx, booking, { received, receipt, agreed: agreed.payment }, now)
  await recordEventsOfNewOrder(tx, booking, now)
  const status = lifecycle.after(row.status, 'complete')
  const checkout: CheckoutRow = { ...row, status, people: null, completed_at: now, updated_at: now }
  await checkoutUpdate(tx, checkout, settlement)
  const change = { from: row.status, to: status, detail: { booking: bookingId, order: order_id } }
  insertAuditEntry(tx, { actor, action: 'complete', subject: `checkout ${id}`, ...change }, now)
  return { checkout, booking }
}

const receiptOf = ({ amount, provider, reference }: Received, row: CheckoutRow, now: Date): Receipt => ({
  id: newId('pay'),
  amount,
  returned: amount - dueNow(row),
  received_at: now.toISOString(),
  transaction_id: reference,
  order_reference: row.order_id,
  provider,
})

/**
 * Stores the payment of a UCP checkout, together with the id of its order. If the provider took too much, the server
 * refunds the excess.
 */
async function enterPayment(
  tx: UnitOfWork,
  booking: BookingRow,
  { received, receipt, agreed }: { received: Received; receipt: Receipt; agreed: Payment },
  now: Date,
): Promise<void> {
  const { amount, currency, provider, reference: transaction_id } = received
  const { id, order_reference, returned } = receipt
  const payment = { id, amount, currency, purpose: purposeOf(agreed), source: 'provider' } as const
  const trace = { transaction_id, provider, ...omitUndefined({ order_reference }) }
  recordFirstPayment(tx, booking, { ...payment, ...trace, reported_by: `provider:${provider}` }, now)
  if (returned > 0) await refundInsert(tx, { payment: id, amount: returned, reason: 'not due' }, now)
}
