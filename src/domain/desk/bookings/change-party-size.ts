import type { ChangeContext } from '../../../protocol/define-operation.ts'
import { BusinessRefusal } from '../../../protocol/errors.ts'
import type { Tag } from '../../../protocol/keyed-digest.ts'
import { canonical } from '../../../protocol/parse-json-safely.ts'
import { type Slot, unknownService } from '../../availability/find-slot.ts'
import { hasCapacity } from '../../availability/party-size-capacity.ts'
import { type Plan, planOf } from '../../availability/service-scheduling-plan.ts'
import { namedResources, readSlotId } from '../../availability/time-slot-response.ts'
import { reallocateBooking } from '../../bookings/allocate-booking-slot.ts'
import { paymentAfterMove } from '../../bookings/apply-booking-move.ts'
import { type BookingRow, releaseOf } from '../../bookings/booking-row.ts'
import { checkParty } from '../../bookings/check-booking-request.ts'
import type { BookingChange } from '../../bookings/lock-and-save-booking.ts'
import { paymentFor } from '../../pricing/booking-price.ts'
import { withRefund } from '../../pricing/payment-amounts.ts'
import { isSetAside, type ResolvedSlot, resolveSlot } from './resolve-requested-slot.ts'
import type { Rule } from './slot-request.ts'

/**
 * Computes all changes of a booking after a change of its number of people. For example, the booking can get a larger
 * table and another price.
 */
export async function partySizeChange(
  context: ChangeContext,
  booking: BookingRow,
  party: number,
  override: readonly Rule[],
): Promise<BookingChange> {
  const { business, db, tag, now } = context
  const { record, resource_ids: before, session_id } = booking
  const plan = planOf(await business.get(), booking.service_id)
  if (!plan) throw unknownService(booking.service_id)
  const stays = session_id !== null || override.includes('capacity') || hasEnoughSeats(plan, before, party)
  const { slot, overridden } = stays
    ? sameSlot(tag, plan, booking, { party, override })
    : await largerSlot(context, booking, party, override)
  const resources =
    stays && session_id === null
      ? before
      : (await reallocateBooking(db, booking, slot, { party, hold: undefined, until: releaseOf(booking), now }))
          .resources
  const all = [...new Set([...(record.overridden ?? []), ...overridden])]
  return {
    resource_ids: resources,
    record: {
      ...record,
      ...payment(booking, slot, party),
      ...(!stays && { resources: namedResources(slot.plan, resources) }),
      ...(all.length > 0 && { overridden: all }),
      party_size: party,
    },
  }
}

const hasEnoughSeats = ({ requirements, ...plan }: Plan, ids: readonly string[], party: number): boolean =>
  requirements
    .flatMap(({ candidates }) => candidates.filter(({ id }) => ids.includes(id)))
    .every((one) => hasCapacity({ requirements, ...plan }, one, party))

/**
 * Returns the current slot of the booking for the new number of people. If the slot is too small for them, the staff
 * must override the rule `capacity`.
 */
function sameSlot(
  tag: Tag,
  plan: Plan,
  booking: BookingRow,
  { party, override }: { party: number; override: readonly Rule[] },
): ResolvedSlot {
  const { record, starts_at, ends_at, session_id, resource_ids } = booking
  const picks = readSlotId(tag, record.slot_id)?.picks ?? []
  const times = { start: starts_at.getTime(), end: ends_at.getTime() }
  const time = { ...times, location: record.location?.id, picks, choices: () => [] }
  const slot = { id: record.slot_id, plan, time: { ...time, ...(session_id !== null && { session: session_id }) } }
  const isSqueezed = isSetAside('capacity', override, () => checkParty(party, slot))
  const overridden = isSqueezed || !hasEnoughSeats(plan, resource_ids, party) ? (['capacity'] as const) : []
  return { slot, overridden: [...overridden] }
}

/**
 * Finds a slot with a larger resource, such as a larger table, at exactly the same time. If the staff made the booking
 * outside the working hours, the larger resource may also be outside its working hours.
 */
async function largerSlot(
  context: ChangeContext,
  booking: BookingRow,
  party: number,
  override: readonly Rule[],
): Promise<ResolvedSlot> {
  const { service_id: service, record, starts_at, ends_at, resource_ids: resources } = booking
  const current = { start: starts_at.getTime(), end: ends_at.getTime(), location: record.location?.id, resources }
  const before = record.overridden?.includes('hours') ? (['hours'] as const) : []
  const request = { start: starts_at.toISOString(), override: [...override, ...before, 'booking_window' as const] }
  const { slot, overridden } = await resolveSlot(context, { service, party, current }, request)
  if (slot.time.end !== current.end)
    throw new BusinessRefusal(
      'capacity_exceeded',
      'No larger resource is available for exactly this time. Move the booking first.',
      '$.party_size',
    )
  return { slot, overridden: overridden.filter((rule) => rule !== 'booking_window') }
}

/**
 * Computes the payment for the new number of people. The payment stays unchanged if the price does not depend on this
 * number. If the new price is lower, the business refunds the difference.
 */
function payment(booking: BookingRow, slot: Slot, party: number): Pick<BookingRow['record'], 'payment'> {
  const { record } = booking
  if (canonical(paymentFor(slot, party) ?? null) === canonical(paymentFor(slot, record.party_size) ?? null)) return {}
  const { payment, refund } = paymentAfterMove({ record: { ...record, party_size: party } }, slot, { fee: 0 })
  if (!payment) return {}
  return { payment: refund > 0 ? withRefund(payment, refund) : payment }
}
