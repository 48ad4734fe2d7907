import { instantOf, offsetAt, rfc3339 } from '../../../infra/time/time-zone.ts'
import { type ChangeContext, defineOperation } from '../../../protocol/define-operation.ts'
import { shape } from '../../../protocol/json-schemas.ts'
import { peopleOfBookings } from '../../../protocol/list-records-about-people.ts'
import type { MoveSeries } from '../../../protocol/types.generated.ts'
import { planOf, resourcesOf } from '../../availability/service-scheduling-plan.ts'
import { moveBooking } from '../../bookings/apply-booking-move.ts'
import { idOrReference, toBooking } from '../../bookings/booking-response.ts'
import type { BookingRow } from '../../bookings/booking-row.ts'
import { lockBooking } from '../../bookings/lock-and-save-booking.ts'
import { isPossible, refuseByStatus } from '../../bookings/operations-by-status.ts'
import { atDesk } from '../shared/operation-defaults.ts'
import { MOST_TIMES } from './booking-series-times.ts'
import { attemptInSeries, lockFollowing } from './lock-series-bookings.ts'
import { refuseBusyElsewhere } from './refuse-busy-elsewhere.ts'
import { resolveSlotOf } from './resolve-requested-slot.ts'
import { type SlotRequest, slotRequestProperties } from './slot-request.ts'

const { duration: _, ...times } = slotRequestProperties

export const moveSeries = defineOperation<MoveSeries>({
  ...atDesk,
  id: 'moveSeries',
  rest: 'POST /business/bookings/{booking_id}/series/move',
  tool: 'usp_business_bookings_series_move',
  title: 'Move a booking and the later ones of its series',
  description:
    'Moves a booking to another time. Later bookings of its series with the same weekday, time and people move ' +
    `by as many days: at most ${MOST_TIMES} bookings, all or none, at no cost. For the later ones, the limit on how ` +
    'far ahead buyers may book does not apply.',
  effect: 'update',
  input: { type: 'object', required: ['booking_id'], properties: { booking_id: idOrReference, ...times } },
  output: {
    type: 'object',
    required: ['bookings'],
    properties: {
      bookings: { type: 'array', items: shape('Booking'), description: 'The moved bookings, earliest first.' },
    },
  },
  people: peopleOfBookings,
  summary: ({ bookings }) => `${bookings.length} bookings were moved.`,
  async handle(context) {
    const { input, db, business, now } = context
    await db.waitForSlot('a series')
    const booking = await lockBooking(context, input.booking_id)
    refuseByStatus('reschedule', booking)
    const plan = planOf(await business.get(), booking.service_id)
    const resources = plan ? resourcesOf(plan) : []
    const rows = await lockFollowing(db, booking, { can: (row) => isPossible('reschedule', row), resources }, now)
    const { time } = (await resolveSlotOf(context, booking, input)).slot
    const isChosen = input.slot_id !== undefined
    const { resource_ids = isChosen ? time.picks : undefined, location_id = isChosen ? time.location : undefined } =
      input
    const local = (instant: number) => instant + offsetAt(booking.record.zone, instant)
    const further = local(time.start) - local(booking.starts_at.getTime())
    const request: SlotRequest = {
      ...(resource_ids && resource_ids.length > 0 && { resource_ids }),
      ...(location_id !== undefined && { location_id }),
      override: [...new Set([...(input.override ?? []), 'booking_window' as const])],
    }
    const moved: BookingRow[] = []
    // If the series moves to a later time, its last booking moves first. Otherwise, a booking could move to a time that
    // the next booking of the series still occupies.
    for (const row of further > 0 ? rows.toReversed() : rows) {
      const { zone } = row.record
      const start = instantOf(zone, local(row.starts_at.getTime()) + further)
      moved.push(await move(context, row, { ...request, start: rfc3339(zone, start) }))
    }
    const inOrder = moved.toSorted((one, other) => one.starts_at.getTime() - other.starts_at.getTime())
    return { bookings: inOrder.map((row) => toBooking(row, context)) }
  },
})

function move(context: ChangeContext, row: BookingRow, request: SlotRequest & { start: string }): Promise<BookingRow> {
  const { db, caller, now } = context
  return attemptInSeries(db, { start: request.start, nothing: 'Nothing was moved.', path: '$.start' }, async () => {
    const { slot, overridden } = await resolveSlotOf(context, row, request)
    await refuseBusyElsewhere(db, slot, row)
    const by = { hold: undefined, fee: 0, actor: caller.principal, byStaff: { overridden } }
    return moveBooking(db, row, { slot, ...by }, now)
  })
}
