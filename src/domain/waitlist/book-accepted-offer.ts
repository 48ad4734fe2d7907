import { insertAuditEntry } from '../../core/records/audit-log.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { omitUndefined } from '../../infra/util/object-members.ts'
import type { Stranger } from '../../protocol/caller-types.ts'
import { BusinessRefusal, isRefusal } from '../../protocol/errors.ts'
import type { Tag } from '../../protocol/keyed-digest.ts'
import type { BusinessDefinition, DeliveryAddress } from '../../protocol/types.generated.ts'
import { findSlot } from '../availability/find-slot.ts'
import type { HoldRow } from '../availability/hold-queries.ts'
import { refuseUnfitHold } from '../bookings/allocate-booking-slot.ts'
import type { BookingRow } from '../bookings/booking-row.ts'
import { checkRequest } from '../bookings/check-booking-request.ts'
import { peopleOf } from '../bookings/people-of-booking.ts'
import { cancellationFeesWaive } from '../bookings/queries.ts'
import { makeBooking } from '../bookings/store-new-booking.ts'
import { recordEntryEvent } from './entry-events.ts'
import type { EntryRow } from './queries.ts'
import { endEntry } from './read-and-lock-entry.ts'

interface Acceptance {
  definition: BusinessDefinition | undefined
  tag: Tag
  /** The identity (caller or staff member) that the audit log shows as the creator of the booking. */
  actor: string
  stranger?: Stranger | undefined
  hold?: HoldRow | undefined
  delivery_address?: DeliveryAddress | undefined
}

/** Books the offered slot for the buyer of the waitlist entry. The calling code must hold the lock of the waitlist. */
export async function accept(
  tx: UnitOfWork,
  entry: EntryRow,
  { definition, tag, actor, stranger, hold, delivery_address }: Acceptance,
  now: Date,
): Promise<{ entry: EntryRow; booking: BookingRow }> {
  refuseUnoffered(entry)
  const slotId = entry.offered_slot_id ?? ''
  const slot = await findSlot(tx, definition, { tag, service: entry.service_id, id: slotId, now }).catch(
    (error: unknown) => {
      throw isRefusal(error) ? offerExpired() : error
    },
  )
  const request = { buyer: entry.buyer, ...omitUndefined({ delivery_address }) }
  checkRequest(request, slot)
  if (hold) await refuseUnfitHold(tx, hold, { slot, party: 1, own: { kind: 'offer', id: entry.id } }, now)
  const { principal, profile } = entry
  const booking = await makeBooking(
    tx,
    slot,
    {
      principal,
      profile,
      actor,
      party: 1,
      people: peopleOf(request),
      stranger,
      hasSeparateQueue: entry.told_apart,
      locale: entry.locale ?? undefined,
      ...(hold && { hold }),
      ...(hold && hold.offer === null ? {} : { offer: entry.id }),
    },
    now,
  )
  const accepted = await endEntry(tx, entry, { step: 'accept', actor, bookingId: booking.id }, now)
  await recordEntryEvent(tx, 'waitlist.converted', accepted, now)
  if (slot.plan.service.waitlist?.waive_fee ?? true) await waiveFee(tx, booking, now)
  return { entry: accepted, booking }
}

function refuseUnoffered({ status }: EntryRow): void {
  if (status === 'offered') return
  if (status === 'expired') throw offerExpired()
  if (status === 'accepted') throw new BusinessRefusal('offer_already_accepted', 'This offer was accepted before.')
  throw new BusinessRefusal('invalid_transition', `There is no offer to accept: the entry is ${status}.`)
}

const offerExpired = () =>
  new BusinessRefusal('offer_expired', 'The offer has ended. Join again to be offered another time.')

/**
 * Waives the cancellation fee of the buyer's earlier bookings of this service, because the waitlist gave the buyer a
 * new time.
 */
async function waiveFee(tx: UnitOfWork, booking: BookingRow, now: Date): Promise<void> {
  const entry = { actor: 'system', action: 'waive_fee', detail: { for: booking.id } }
  for (const { id, status } of await cancellationFeesWaive(tx, booking, now))
    insertAuditEntry(tx, { ...entry, subject: `booking ${id}`, from: status, to: status }, now)
}
