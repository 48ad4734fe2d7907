import { isPhoneNumber } from '../../../core/business/contact-channels.ts'
import { zoneOf } from '../../../core/business/definition-facts.ts'
import { folded } from '../../../infra/util/plain-text.ts'
import { defineOperation } from '../../../protocol/define-operation.ts'
import { shape } from '../../../protocol/json-schemas.ts'
import { fittingPage } from '../../../protocol/limit-page-size.ts'
import { canonical } from '../../../protocol/parse-json-safely.ts'
import type { ListBusinessBookings } from '../../../protocol/types.generated.ts'
import { queryRange } from '../../availability/read-query-range.ts'
import { toBooking } from '../../bookings/booking-response.ts'
import { bookingAsOf } from '../../bookings/booking-row.ts'
import { bookingSourceSchema } from '../../bookings/booking-source.ts'
import { type BookingPosition, bookingsList } from '../shared/booking-and-change-queries.ts'
import { BOOKING_PAGE, DESK_CURSOR_SECONDS } from '../shared/desk-list-limits.ts'
import { atDesk, day } from '../shared/operation-defaults.ts'

const wordsOf = (query: string): string[] =>
  isPhoneNumber(query) ? [query.replace(/\D/g, '')] : folded(query).split(/\s+/).filter(Boolean)

export const listBookings = defineOperation<ListBusinessBookings>({
  ...atDesk,
  id: 'listBusinessBookings',
  rest: 'POST /business/bookings/list',
  tool: 'usp_business_bookings_list',
  title: 'List bookings',
  description: 'Finds bookings by day, buyer, resource, service, class, status and source.',
  effect: 'read',
  input: {
    type: 'object',
    properties: {
      start_date: day('First day, YYYY-MM-DD.'),
      end_date: day('Last day, inclusive.'),
      resource_id: { type: 'string', description: 'Only with this person or thing, classes included.' },
      service_id: { type: 'string', description: 'Only bookings of this service.' },
      session_id: { type: 'string', description: 'Only bookings of this class.' },
      statuses: {
        type: 'array',
        items: {
          enum: ['pending', 'requires_action', 'confirmed', 'in_progress', 'completed', 'no_show', 'canceled'],
        },
        minItems: 1,
        uniqueItems: true,
        description: 'Only bookings in one of these statuses.',
      },
      came_from: { ...bookingSourceSchema, description: 'Only bookings from this source.' },
      payment_claimed: {
        type: 'boolean',
        description:
          'true: only bookings whose buyer reports a payment that the staff have not confirmed yet. false: all ' +
          'others.',
      },
      query: {
        type: 'string',
        maxLength: 200,
        description:
          'Parts of the name, email address or phone number of buyer or recipient, or of the reference, all of ' +
          'which must match; or the id of a booking.',
      },
      order: {
        enum: ['earliest_first', 'latest_first'],
        default: 'earliest_first',
        description: 'The order, by the start of the bookings.',
      },
      cursor: {
        type: ['string', 'null'],
        description: 'Cursor of the previous page, if any.',
      },
      limit: { type: 'integer', minimum: 1, default: BOOKING_PAGE.usual, description: 'Bookings per page.' },
    },
  },
  output: {
    type: 'object',
    required: ['bookings', 'pagination'],
    properties: { bookings: { type: 'array', items: shape('Booking') }, pagination: shape('Pagination') },
  },
  summary: ({ bookings, pagination }) => {
    const many = bookings.length === 1 ? 'One booking' : `${bookings.length} bookings`
    return `${many}.${pagination.has_more ? ' There are more on the next page.' : ''}`
  },
  async handle(context) {
    const { input, db, now, cursors } = context
    const { cursor, limit = BOOKING_PAGE.usual, ...filters } = input
    const {
      start_date,
      end_date,
      resource_id,
      service_id,
      session_id,
      statuses,
      came_from,
      query = '',
      order,
      payment_claimed,
    } = filters
    const zone = await zoneOf(context)
    const [first, last] = [start_date ?? '1970-01-01', end_date ?? '2200-12-31']
    const id = /^bkg_[\w-]+$/.test(query) ? query : undefined
    const scope = canonical(['listBusinessBookings', filters])
    const size = Math.min(limit, BOOKING_PAGE.most)
    const wanted = {
      range: start_date || end_date ? queryRange(first, last, zone, Number.POSITIVE_INFINITY) : undefined,
      resource: resource_id,
      service: service_id,
      session: session_id,
      statuses,
      bookingSource: came_from,
      isClaimed: payment_claimed,
      id,
      words: id === undefined ? wordsOf(query) : [],
      after: cursor ? (cursors.open(scope, cursor, now, DESK_CURSOR_SECONDS) as BookingPosition) : undefined,
      latestFirst: order === 'latest_first',
      limit: size + 1,
    }
    const rows = await bookingsList(db, wanted, now)
    const { page, end } = fittingPage(rows, size, (row) => toBooking(bookingAsOf(row, now), context))
    return {
      bookings: page,
      pagination: {
        cursor: end ? cursors.seal(scope, [end.starts_at.getTime(), end.id], now) : null,
        has_more: end !== undefined,
      },
    }
  },
})
