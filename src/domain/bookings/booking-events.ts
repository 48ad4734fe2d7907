import type { SnapshotBody } from '../../core/events/event-body.ts'
import { receiversOfOwner } from '../../core/events/receivers.ts'
import { recordEvent } from '../../core/events/record-event.ts'
import { ORDER } from '../../core/events/ucp-order-events.ts'
import type { Database } from '../../infra/db/database.ts'
import { refundedOf, refundsOf } from '../pricing/payment-amounts.ts'
import { type BookingWireDependencies, toBooking } from './booking-response.ts'
import { type BookingRow, revivedBooking, type StoredBooking } from './booking-row.ts'

export type BookingEventType =
  | 'booking.confirmed'
  | 'booking.canceled'
  | 'booking.rescheduled'
  | 'booking.completed'
  | 'booking.no_show'
  | 'booking.refund_issued'
  | 'booking.dispute_opened'
  | 'booking.dispute_resolved'
  | 'booking.service_started'
  | 'booking.service_updated'

/**
 * Lists the events (messages to the booking platform) that a change of a booking causes, in the order of sending. This
 * function does not handle the creation of a booking.
 */
export function bookingEvents(before: BookingRow, after: BookingRow): BookingEventType[] {
  const moved =
    before.starts_at.getTime() !== after.starts_at.getTime() || before.record.slot_id !== after.record.slot_id
  const isUnderway = before.status === 'in_progress' && after.status === 'in_progress'
  const adjusted = isUnderway && before.ends_at.getTime() !== after.ends_at.getTime()
  const refunded = returned(after) > returned(before)
  const disputed = before.record.dispute?.status !== after.record.dispute?.status
  const agreed = before.status === 'pending' && after.status === 'requires_action'
  return [
    ...(moved ? (['booking.rescheduled'] as const) : []),
    ...(before.status === after.status ? [] : reached(after.status)),
    // The staff can approve a booking before the buyer has completed tasks such as the payment. The platform then gets
    // the event `booking.confirmed`, which lists the open tasks.
    ...(agreed ? (['booking.confirmed'] as const) : []),
    ...(adjusted ? (['booking.service_updated'] as const) : []),
    ...(refunded ? (['booking.refund_issued'] as const) : []),
    ...(disputed && after.record.dispute?.status === 'opened' ? (['booking.dispute_opened'] as const) : []),
    ...(disputed && after.record.dispute?.resolved_at !== undefined ? (['booking.dispute_resolved'] as const) : []),
  ]
}

const returned = ({ record: { payment } }: BookingRow): number => (payment ? refundedOf(payment) : 0)

function reached(status: BookingRow['status']): BookingEventType[] {
  switch (status) {
    case 'confirmed':
      return ['booking.confirmed']
    case 'canceled':
      return ['booking.canceled']
    case 'in_progress':
      return ['booking.service_started']
    case 'completed':
      return ['booking.completed']
    case 'no_show':
      return ['booking.no_show']
    default:
      return []
  }
}

/**
 * Stores the events (messages) about a changed booking, in the same transaction as the change. The server later sends
 * the events to the platform that made the booking.
 */
export async function recordBookingEvents(
  tx: Database,
  before: BookingRow,
  after: BookingRow,
  now: Date,
): Promise<void> {
  const types = bookingEvents(before, after)
  for (const type of types) await recordBookingEvent(tx, after, type, now)
  if (types.length > 0) await recordOrderEvent(tx, after, 'order.updated', now)
}

/**
 * Stores the first events (messages to the platform) of a booking that a platform bought in a UCP checkout. UCP is the
 * Universal Commerce Protocol. Other new bookings cause no event.
 */
export async function recordEventsOfNewOrder(tx: Database, booking: BookingRow, now: Date): Promise<void> {
  if (booking.status === 'confirmed') await recordBookingEvent(tx, booking, 'booking.confirmed', now)
  await recordOrderEvent(tx, booking, 'order.created', now)
}

const recordBookingEvent = (tx: Database, booking: BookingRow, type: BookingEventType, now: Date) =>
  recordEvent(
    tx,
    { type, subject: `booking ${booking.id}`, content: { snapshot: booking } },
    receiversOfOwner(booking),
    now,
  )

/**
 * Stores an event (a message to the platform) about the order of a booking, if the booking has an order. The stored
 * event does not contain the order. The server reads the current order when it sends the event.
 */
export async function recordOrderEvent(
  tx: Database,
  booking: BookingRow,
  type: 'order.created' | 'order.updated',
  now: Date,
): Promise<void> {
  const { order } = booking.record
  const event = order && { type, subject: `${ORDER} ${order.id}`, content: { snapshot: { booking_id: booking.id } } }
  if (event) await recordEvent(tx, event, receiversOfOwner(booking), now)
}

export const bookingBody =
  (making: BookingWireDependencies): SnapshotBody =>
  (snapshot, { type, id }) => {
    const booking = revivedBooking(snapshot as StoredBooking)
    const refund = type === 'booking.refund_issued' ? refundOf(booking) : {}
    const { order } = booking.record
    return { booking_id: id, ...(order && { order_id: order.id }), ...refund, data: toBooking(booking, making) }
  }

/**
 * Returns the amount of the latest refund and the total of all refunds of the booking. The event contains these amounts
 * at its top level, where receivers find them easily.
 */
const refundOf = ({ record: { payment } }: BookingRow) =>
  payment && { ...refundsOf(payment), currency: payment.currency }
