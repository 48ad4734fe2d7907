import { rfc3339Exact } from '../../../infra/time/time-zone.ts'
import { omitUndefined } from '../../../infra/util/object-members.ts'
import { defineOperation } from '../../../protocol/define-operation.ts'
import { shape } from '../../../protocol/json-schemas.ts'
import type { BusinessDefinition, GetBusinessBooking } from '../../../protocol/types.generated.ts'
import { currencyOf, isClaimed } from '../../bookings/booking-amounts-owed.ts'
import { idOrReference, referenceOf, summary, toBooking } from '../../bookings/booking-response.ts'
import type { BookingRow } from '../../bookings/booking-row.ts'
import { bookingSourceOf, bookingSourceSchema } from '../../bookings/booking-source.ts'
import { isAttending } from '../../bookings/confirm-attendance.ts'
import { readBooking as findBooking } from '../../bookings/lock-and-save-booking.ts'
import { conflictsOfBooking } from '../../busy-times/conflict-queries.ts'
import { questionsOfBooking } from '../../busy-times/event-questions.ts'
import { paymentsOf } from '../../payments/queries.ts'
import { collectedOf, refundedOf } from '../../pricing/payment-amounts.ts'
import { busyShape, toBusy } from '../hours/day-schedule-schema.ts'
import { openAtCounter, takesTip } from '../money/counter-payment-rules.ts'
import { paymentEntries, toPaymentEntry } from '../money/payment-list-response.ts'
import { changeEntries, toChange } from '../shared/audit-log-entries.ts'
import { changesOf, tagsOfBooking } from '../shared/booking-and-change-queries.ts'
import { CHANGES_PAGE } from '../shared/desk-list-limits.ts'
import { eventQuestionsShape, toEventQuestion } from '../shared/event-question-schema.ts'
import { atDesk } from '../shared/operation-defaults.ts'

export const readBooking = defineOperation<GetBusinessBooking>({
  ...atDesk,
  id: 'getBusinessBooking',
  rest: 'GET /business/bookings/{booking_id}',
  tool: 'usp_business_bookings_get',
  title: 'Read a booking in full',
  description: 'Returns a booking with the details that only the business sees, and its history.',
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
        description: 'Details that platforms and buyers do not see.',
        properties: {
          came_from: bookingSourceSchema,
          booked_by: { type: 'string', description: 'The platform that made the booking, if one did.' },
          profile: { type: 'string', description: 'Profile of this platform.' },
          resource_ids: { type: 'array', items: { type: 'string' }, description: 'The resources of the booking.' },
          session_id: { type: 'string', description: 'The class it belongs to.' },
          series: { type: 'string', description: 'The series it belongs to.' },
          overridden: { type: 'array', items: { type: 'string' }, description: 'Rules that the staff set aside.' },
          answers: {
            type: 'object',
            additionalProperties: { type: 'string' },
            description: 'Answers to the intake questions, by question id.',
          },
          questions: {
            type: 'object',
            additionalProperties: { type: 'string' },
            description: 'The intake questions that were answered, by their ids.',
          },
          customer_tags: {
            type: 'array',
            items: { type: 'string' },
            description: 'Tags of the customer for the staff, such as an allergy.',
          },
          reschedules: { type: 'integer', description: 'How often the buyer moved it.' },
          collected: { type: 'integer', description: 'Money received, in minor units.' },
          refunded: { type: 'integer', description: 'Money refunded, in minor units.' },
          to_pay: {
            type: 'integer',
            description:
              'The most that can be paid at the counter, in minor units; missing if not even a tip is possible.',
          },
          currency: { type: 'string', description: 'Currency of the payment, ISO 4217.' },
          reference: {
            type: 'string',
            description: 'The reference that the buyer knows the booking by, for example in a bank transfer.',
          },
          payment_claimed_at: {
            type: 'string',
            format: 'date-time',
            description: 'When the buyer reported a payment by hand of the amount due; missing once it is received.',
          },
          busy: {
            type: 'array',
            items: busyShape,
            description: 'Later busy times of other calendars that it overlaps, until it is moved, canceled or kept.',
          },
          events: eventQuestionsShape,
          attending_since: {
            type: 'string',
            format: 'date-time',
            description: 'When the buyer confirmed that they will come; only on a confirmed booking.',
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
    const [payments, changes, tags, busy, events] = await Promise.all([
      paymentsOf(db, booking.id),
      changesOf(db, `booking ${booking.id}`, undefined, CHANGES_PAGE.most),
      tagsOfBooking(db, booking.id),
      conflictsOfBooking(db, booking),
      questionsOfBooking(db, booking),
    ])
    return {
      booking: toBooking(booking, context),
      details: {
        ...detailsOf(booking, await context.business.get()),
        ...(tags.length > 0 && { customer_tags: tags }),
        ...(busy.length > 0 && { busy: busy.map((span) => toBusy(span, zone)) }),
        ...(events.length > 0 && { events: events.map((one) => toEventQuestion(one, zone)) }),
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
      attending_since:
        record.attending !== undefined && isAttending(booking)
          ? rfc3339Exact(record.zone, new Date(record.attending))
          : undefined,
      collected: record.payment && collectedOf(record.payment),
      refunded: record.payment && refundedOf(record.payment),
      to_pay: to_pay > 0 || takesTip(booking) ? to_pay : undefined,
    }),
  }
}

const questionsOf = ({ intake = [] }: BookingRow['record']) =>
  Object.fromEntries(intake.map(({ id, question }) => [id, question]))
