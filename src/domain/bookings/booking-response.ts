import { hash } from 'node:crypto'
import type { Config } from '../../infra/config/read-config.ts'
import { rfc3339, rfc3339Exact } from '../../infra/time/time-zone.ts'
import { omitUndefined } from '../../infra/util/object-members.ts'
import type { Caller } from '../../protocol/caller-types.ts'
import type { ObjectSchema } from '../../protocol/define-operation.ts'
import { shape } from '../../protocol/json-schemas.ts'
import type { Tag } from '../../protocol/keyed-digest.ts'
import type { Action, Booking, Message } from '../../protocol/types.generated.ts'
import { isoDuration } from '../availability/time-slot-response.ts'
import { type Payment, taxOfDue, toPayment } from '../pricing/payment-amounts.ts'
import { moneyNotes } from './booking-amounts-owed.ts'
import { type Page, pageUrl } from './booking-page-links.ts'
import type { BookingRow, Task } from './booking-row.ts'
import { isUnresolved } from './lifecycle.ts'

export interface BookingWireDependencies {
  tag: Tag
  config: Pick<Config, 'baseUrl'>
  caller?: Pick<Caller, 'role'>
}

/**
 * Returns the web address of a page where the buyer can change the booking. The result is undefined for a staff member
 * with the role `viewer`, who may only read bookings.
 */
const linkTo = (
  page: Page,
  row: Pick<BookingRow, 'id' | 'record'>,
  { tag, config, caller }: BookingWireDependencies,
): string | undefined => (caller?.role === 'viewer' ? undefined : pageUrl(config.baseUrl, tag, row, page))

/**
 * Returns the revision (version mark) of a booking in answers. The server computes it from the booking id and a hidden
 * counter of changes. Therefore the revision does not reveal how often a booking was changed.
 */
export const revisionOf = (tag: Tag, { id, revision }: Pick<BookingRow, 'id' | 'revision'>): string =>
  tag('revision', `${id} ${revision}`, 12)

export function toBooking(row: BookingRow, making: BookingWireDependencies): Booking {
  const { record, people, status } = row
  const { zone, cancellation, no_show, dispute } = record
  // The stored instants are in UTC, and answers show each instant in the time zone of the booking.
  const writtenInstant = (instant: string | undefined) => instant && rfc3339Exact(zone, new Date(instant))
  const time = (instant: Date) => rfc3339(zone, instant.getTime())
  const actions = status === 'requires_action' ? record.tasks.map((task) => toAction(row, task, making)) : []
  const showsMoney = record.order === undefined || making.caller?.role !== undefined
  const notes = showsMoney ? moneyNotes(row) : []
  const messages = [...(record.messages ?? []), ...approvalMessage(row), ...notes]
  return {
    id: row.id,
    service_id: row.service_id,
    service_name: record.service.name,
    slot: slotOf(row),
    buyer: people.buyer,
    party_size: record.party_size,
    status,
    confirmation_mode: record.confirmation_mode,
    ...(record.resources.length > 0 && { resources: record.resources }),
    ...omitUndefined({
      recipient: people.recipient,
      delivery_address: people.delivery_address,
      notes: people.notes,
      location: record.location,
      payment:
        (showsMoney && record.payment && toPayment(record.payment, zone, record.no_show?.amount_due)) || undefined,
      cancellation: cancellation && {
        ...cancellation,
        ...omitUndefined({ canceled_at: writtenInstant(cancellation.canceled_at) }),
      },
      no_show: no_show && { ...no_show, ...omitUndefined({ marked_at: writtenInstant(no_show.marked_at) }) },
      dispute: dispute && {
        ...dispute,
        ...omitUndefined({
          opened_at: writtenInstant(dispute.opened_at),
          resolved_at: writtenInstant(dispute.resolved_at),
        }),
      },
    }),
    ...(messages.length > 0 && { messages }),
    ...(actions.length > 0 && { actions }),
    ...(row.expires_at && isUnresolved(status) && { expires_at: time(row.expires_at) }),
    ...omitUndefined({ booking_url: linkTo('manage', row, making) }),
    created_at: rfc3339Exact(zone, row.created_at),
    updated_at: rfc3339Exact(zone, row.updated_at),
    revision: revisionOf(making.tag, row),
  }
}

const approvalMessage = ({ status, expires_at, record: { zone } }: BookingRow): Message[] =>
  status === 'pending' && expires_at
    ? [
        {
          type: 'info',
          code: 'awaiting_approval',
          content: `The business answers by ${rfc3339(zone, expires_at.getTime())}.`,
        },
      ]
    : []

export const slotOf = ({ record: { zone, slot_id }, starts_at, ends_at }: BookingRow): Booking['slot'] => ({
  id: slot_id,
  start: rfc3339(zone, starts_at.getTime()),
  end: rfc3339(zone, ends_at.getTime()),
  duration: isoDuration(ends_at.getTime() - starts_at.getTime()),
})

function toAction(row: BookingRow, { type, status }: Task, making: BookingWireDependencies): Action {
  const { payment, zone } = row.record
  const expiry = row.expires_at ?? row.starts_at
  return {
    type,
    status,
    continue_url: linkTo(type, row, making) ?? making.config.baseUrl,
    expires_at: rfc3339(zone, expiry.getTime()),
    ...(type === 'payment' && payment && status === 'pending' && { message: paymentRequired }),
    ...(type === 'payment' && payment && { payment_context: paymentContext(row, payment) }),
  }
}

const paymentRequired: Message = {
  type: 'info',
  code: 'payment_required',
  content: 'The booking is not certain until it is paid.',
  severity: 'requires_buyer_input',
}

/** The data with which a platform can collect the payment for a booking in its own checkout. */
function paymentContext(row: BookingRow, payment: Payment): NonNullable<Action['payment_context']> {
  const { service } = row.record
  const { due, currency, items } = payment
  const tax = taxOfDue(payment)
  return {
    amount_due: due,
    currency,
    description: `${service.name}, ${slotOf(row).start.slice(0, 16).replace('T', ' ')}`,
    line_items: items.map((item) => ({ ...item, item_id: row.service_id })),
    ...(tax > 0 && { tax_amount: tax }),
    metadata: {
      booking_id: row.id,
      service_id: row.service_id,
      service_type: service.type,
      slot_start: slotOf(row).start,
    },
  }
}

export const bookingId = { type: 'string', minLength: 1, description: 'Id of the booking.' }

export const idOrReference = { ...bookingId, description: 'Id or reference like KPVX-QRST.' }

export const bookingOutput: ObjectSchema = {
  type: 'object',
  required: ['booking'],
  properties: { booking: shape('Booking') },
}

export const bookingWithCredential: ObjectSchema = {
  ...bookingOutput,
  properties: { ...bookingOutput.properties, booking_scoped_credential: shape('BookingScopedCredential') },
}

export const summary = ({ booking }: { booking: Booking }): string => {
  const { id, service_name, slot, status } = booking
  return `Booking ${id}: ${service_name} at ${slot.start}, ${status.replaceAll('_', ' ')}.`
}

export const onBooking = {
  capability: 'dev.usp-protocol.services.bookings',
  access: 'privileged_scoped',
  resource: ({ booking_id }: { booking_id: string }) => ({ kind: 'booking' as const, id: booking_id }),
  output: bookingOutput,
  summary,
} as const

/**
 * Booking references consist of these letters. All letters are consonants, so that a reference spells no word. I, L and
 * O are left out, because people confuse these letters with the digits 1 and 0.
 */
const LETTERS = 'BCDFGHJKMNPQRSTVWXYZ'
const LENGTH = 8

/**
 * Whether a text looks like a booking reference (a short code), in upper or lower case, with or without the hyphen. A
 * booking id never looks like a reference.
 */
export const isReference = (text: string): boolean =>
  /^[BCDFGHJKMNPQRSTVWXYZ]{4}-?[BCDFGHJKMNPQRSTVWXYZ]{4}$/i.test(text)

export const isReferenceOf = (text: string, booking: { id: string }): boolean =>
  text.toUpperCase().replace('-', '') === referenceOf(booking).replace('-', '')

/**
 * The reference (short code) of a booking, for use on the phone and in bank transfers. The server derives the reference
 * from the booking id, so it never changes.
 */
export function referenceOf({ id }: { id: string }): string {
  const octets = hash('sha256', id, 'buffer').subarray(0, LENGTH)
  const letters = [...octets].map((octet) => LETTERS[octet % LETTERS.length]).join('')
  return `${letters.slice(0, LENGTH / 2)}-${letters.slice(LENGTH / 2)}`
}
