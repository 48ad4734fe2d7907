import { rfc3339Exact } from '../../../infra/time/zone.ts'
import { omitUndefined } from '../../../infra/util/omit-undefined.ts'
import { defineOperation } from '../../../protocol/operation.ts'
import { shape } from '../../../protocol/schemas.ts'
import type { BusinessDefinition, GetBusinessBooking } from '../../../protocol/types.generated.ts'
import { toBooking } from '../../bookings/booking.ts'
import type { BookingRow } from '../../bookings/booking-row.ts'
import { bookingSourceOf, bookingSourceSchema } from '../../bookings/booking-source.ts'
import { readBooking as findBooking } from '../../bookings/change-booking.ts'
import { currencyOf } from '../../bookings/currency.ts'
import { idOrReference, summary } from '../../bookings/operation-parts.ts'
import { isClaimed } from '../../bookings/payment-claim.ts'
import { referenceOf } from '../../bookings/reference.ts'
import { collectedOf, refundedOf } from '../../payments/payment.ts'
import { paymentsOf } from '../../payments/queries.ts'
import { openAtCounter, takesTip } from '../money/counter.ts'
import { paymentEntries, toPaymentEntry } from '../money/payment-entry.ts'
import { changeEntries, toChange } from '../shared/change-entry.ts'
import { tagsOfBooking } from '../shared/customer-of-booking.ts'
import { CHANGES_PAGE } from '../shared/limits.ts'
import { atDesk } from '../shared/operation-parts.ts'
import { changesOf } from '../shared/queries.ts'

export const readBooking = defineOperation<GetBusinessBooking>({
  ...atDesk,
  id: 'getBusinessBooking',
  rest: 'GET /business/bookings/{booking_id}',
  tool: 'usp_business_bookings_get',
  title: 'Read a booking whole',
  description: 'Returns a booking with what only the business knows of it, and what was done to it by whom.',
  effect: 'read',
  input: { type: 'object', required: ['booking_id'], properties: { booking_id: idOrReference } },
  output: {
    type: 'object',
    required: ['booking', 'details', 'payments', 'changes'],
    properties: {
      booking: shape('Booking'),
      details: {
        type: 'object',
        required: ['reference', 'came_from', 'resource_ids', 'reschedules', 'currency'],
        description: 'What platforms and buyers are not told.',
        properties: {
          came_from: bookingSourceSchema,
          booked_by: { type: 'string', description: 'The platform that booked, where one did.' },
          profile: { type: 'string', description: 'Its profile.' },
          resource_ids: { type: 'array', items: { type: 'string' }, description: 'What it takes up.' },
          session_id: { type: 'string', description: 'The class it belongs to.' },
          series: { type: 'string', description: 'The series it belongs to.' },
          overridden: { type: 'array', items: { type: 'string' }, description: 'Rules that the staff set aside.' },
          answers: {
            type: 'object',
            additionalProperties: { type: 'string' },
            description: 'Answers to the intake questions, by the ids of these.',
          },
          questions: {
            type: 'object',
            additionalProperties: { type: 'string' },
            description: 'The intake questions that were answered, by their ids.',
          },
          customer_tags: {
            type: 'array',
            items: { type: 'string' },
            description: 'What the staff noted of the customer to be seen at once, such as an allergy.',
          },
          reschedules: { type: 'integer', description: 'How often the buyer moved it.' },
          collected: { type: 'integer', description: 'Money that came in, in minor units.' },
          refunded: { type: 'integer', description: 'Money that went back, in minor units.' },
          to_pay: {
            type: 'integer',
            description: 'What can be paid at the counter, in minor units; left out where not even a tip can.',
          },
          currency: { type: 'string', description: 'What it is paid in, ISO 4217.' },
          reference: { type: 'string', description: 'What the buyer calls it by, such as in a bank transfer.' },
          payment_claimed_at: {
            type: 'string',
            format: 'date-time',
            description: 'When the buyer said to have paid by hand what is due; left out once it has come in.',
          },
        },
      },
      payments: paymentEntries,
      changes: changeEntries,
    },
  },
  summary,
  async handle(context) {
    const { input, db } = context
    const booking = await findBooking(context, input.booking_id)
    const { zone } = booking.record
    const [payments, changes, tags] = await Promise.all([
      paymentsOf(db, booking.id),
      changesOf(db, `booking ${booking.id}`, undefined, CHANGES_PAGE.most),
      tagsOfBooking(db, booking.id),
    ])
    return {
      booking: toBooking(booking, context),
      details: {
        ...detailsOf(booking, await context.business.get()),
        ...(tags.length > 0 && { customer_tags: tags }),
      },
      payments: payments.map((payment) => toPaymentEntry(payment, zone, payments)),
      changes: changes.map((change) => toChange(change, zone)),
    }
  },
})

const detailsOf = (booking: BookingRow, definition: BusinessDefinition | undefined) => {
  const { id, principal, profile, resource_ids, session_id, series, record, people } = booking
  const to_pay = openAtCounter(booking)
  return {
    reference: referenceOf({ id }),
    came_from: bookingSourceOf(principal),
    resource_ids,
    reschedules: record.reschedules,
    currency: currencyOf(booking, definition),
    ...omitUndefined({
      booked_by: bookingSourceOf(principal) === 'platform' ? principal : undefined,
      profile: profile || undefined,
      session_id: session_id ?? undefined,
      series: series ?? undefined,
      overridden: record.overridden,
      answers: people.answers,
      questions: people.answers && questionsOf(record),
      payment_claimed_at:
        record.payment_claimed_at !== undefined && isClaimed(booking)
          ? rfc3339Exact(record.zone, new Date(record.payment_claimed_at))
          : undefined,
      collected: record.payment && collectedOf(record.payment),
      refunded: record.payment && refundedOf(record.payment),
      to_pay: to_pay > 0 || takesTip(booking) ? to_pay : undefined,
    }),
  }
}

const questionsOf = ({ intake = [] }: BookingRow['record']) =>
  Object.fromEntries(intake.map(({ id, question }) => [id, question]))
