import { resourcesLock } from '../../../core/ledger/resource-claims.ts'
import { rfc3339 } from '../../../infra/time/time-zone.ts'
import { omitUndefined } from '../../../infra/util/object-members.ts'
import { newId } from '../../../infra/util/random-bytes.ts'
import { type ChangeContext, defineOperation } from '../../../protocol/define-operation.ts'
import { BusinessRefusal } from '../../../protocol/errors.ts'
import { shape } from '../../../protocol/json-schemas.ts'
import { peopleOfBookings } from '../../../protocol/list-records-about-people.ts'
import type { BookSeries } from '../../../protocol/types.generated.ts'
import { unknownService } from '../../availability/find-slot.ts'
import { readMoment } from '../../availability/read-query-range.ts'
import { planOf, resourcesOf } from '../../availability/service-scheduling-plan.ts'
import { idOrReference, toBooking } from '../../bookings/booking-response.ts'
import type { BookingRow } from '../../bookings/booking-row.ts'
import { lockBooking, saveBooking } from '../../bookings/lock-and-save-booking.ts'
import { numberFromOf } from '../../bookings/people-of-booking.ts'
import { makeBooking } from '../../bookings/store-new-booking.ts'
import { atDesk, moment } from '../shared/operation-defaults.ts'
import { MOST_TIMES, slotAt } from './booking-series-times.ts'
import { attemptInSeries } from './lock-series-bookings.ts'
import { refuseBusyElsewhere } from './refuse-busy-elsewhere.ts'

export const bookSeries = defineOperation<BookSeries>({
  ...atDesk,
  id: 'bookSeries',
  rest: 'POST /business/bookings/{booking_id}/series',
  tool: 'usp_business_bookings_series_book',
  title: 'Book a series',
  description:
    'Books the same service for the same people at each of these times, all or none, for example those from ' +
    'usp_business_bookings_series_plan. The new bookings and the original form a series. The limit on how far ' +
    'ahead buyers may book does not apply.',
  effect: 'create',
  input: {
    type: 'object',
    required: ['booking_id', 'starts'],
    properties: {
      booking_id: idOrReference,
      starts: {
        type: 'array',
        minItems: 1,
        maxItems: MOST_TIMES,
        uniqueItems: true,
        items: moment('Start of a booking.'),
        description: 'Start of each booking.',
      },
    },
  },
  output: {
    type: 'object',
    required: ['series', 'bookings'],
    properties: {
      series: { type: 'string', description: 'Id of the series.' },
      bookings: { type: 'array', items: shape('Booking'), description: 'The new bookings, earliest first.' },
    },
  },
  people: peopleOfBookings,
  summary: ({ bookings }) => `${bookings.length} bookings were made.`,
  async handle(context) {
    const { input, db, business, caller, now } = context
    await db.waitForSlot('a series')
    const booking = await lockBooking(context, input.booking_id)
    if (booking.people.erased)
      throw new BusinessRefusal(
        'invalid_transition',
        'The people of this booking were erased, so it cannot be repeated.',
      )
    const plan = planOf(await business.get(), booking.service_id)
    if (!plan) throw unknownService(booking.service_id)
    // The server locks all resources of the series in one statement and in a fixed order, which prevents deadlocks.
    await resourcesLock(db, resourcesOf(plan))
    const series = booking.series ?? newId('ser')
    const starts = input.starts.map((one) => readMoment('starts', one)).toSorted((one, other) => one - other)
    const rows: BookingRow[] = []
    for (const start of starts) rows.push(await repeat(context, booking, start, series))
    if (booking.series === null)
      await saveBooking(db, booking, { change: { series }, by: { actor: caller.principal, action: 'repeat' } }, now)
    return { series, bookings: rows.map((row) => toBooking(row, context)) }
  },
})

function repeat(context: ChangeContext, booking: BookingRow, start: number, series: string): Promise<BookingRow> {
  const { db, caller, now } = context
  const { party_size: party, locale, zone } = booking.record
  const { buyer, recipient, delivery_address, notes } = booking.people
  const people = { buyer, ...omitUndefined({ recipient, delivery_address, notes }), ...numberFromOf(booking) }
  return attemptInSeries(
    db,
    { start: rfc3339(zone, start), nothing: 'Nothing was booked.', path: '$.starts' },
    async () => {
      const { slot, overridden } = await slotAt(context, booking, start)
      await refuseBusyElsewhere(db, slot, undefined)
      const nobody = { principal: '', profile: '' }
      const newBooking = { ...nobody, actor: caller.principal, party, people, locale, series, byStaff: { overridden } }
      return makeBooking(db, slot, newBooking, now)
    },
  )
}
