import { findSlot } from '../availability/find-slot.ts'
import { omitUndefined } from '../basics/omit-undefined.ts'
import { toBooking } from '../bookings/booking.ts'
import { checkRequest } from '../bookings/check-request.ts'
import { lockHold, refuseUnfitHold } from '../bookings/lock-hold.ts'
import { makeBooking } from '../bookings/make-booking.ts'
import { peopleOf } from '../bookings/people.ts'
import { zoneOf } from '../business/zone-of.ts'
import { Outcome } from '../protocol/errors.ts'
import { defineOperation } from '../protocol/operation.ts'
import { shape } from '../protocol/schemas.ts'
import type { AcceptOffer } from '../protocol/types.generated.ts'
import { endEntry, lockEntry } from './change-entry.ts'
import { toEntry } from './entry.ts'
import { recordEntryEvent } from './entry-events.ts'
import { entryInput, entrySummary, onEntry } from './operation-parts.ts'
import type { EntryRow } from './queries.ts'
import { waiveFee } from './waive-fee.ts'

export const acceptOffer = defineOperation<AcceptOffer>({
  ...onEntry,
  id: 'acceptOffer',
  rest: 'POST /waitlist/{entry_id}/accept',
  tool: 'usp_waitlist_accept',
  title: 'Accept an offer',
  description:
    'Turns an offered slot into a booking for the buyer who waited. What the booking still asks for, such as a payment, ' +
    'stands in its actions.',
  effect: 'update',
  input: {
    ...entryInput,
    properties: {
      ...entryInput.properties,
      hold_id: { type: 'string', minLength: 1, description: 'A hold of the caller on the offered slot.' },
      delivery_address: shape('DeliveryAddress'),
    },
  },
  output: {
    type: 'object',
    required: ['entry', 'booking'],
    properties: { entry: shape('WaitlistEntry'), booking: shape('Booking') },
  },
  summary: entrySummary,
  async handle(context) {
    const { input, db, caller, now, business, tag } = context
    const entry = await lockEntry(context, input.entry_id)
    refuseUnoffered(entry)
    const slotId = entry.offered_slot_id ?? ''
    // Another server may have offered what this one does not know of yet.
    const definition = await business.seenBy(db)
    const slot = await findSlot(db, definition, { tag, service: entry.service_id, id: slotId, now }).catch(
      (error: unknown) => {
        throw error instanceof Outcome ? offerExpired() : error
      },
    )
    const { delivery_address } = input
    const request = { buyer: entry.buyer, ...omitUndefined({ delivery_address }) }
    checkRequest(request, slot)
    const hold = input.hold_id === undefined ? undefined : await lockHold(context, input.hold_id)
    if (hold) refuseUnfitHold(hold, { service_id: entry.service_id, slot_id: slotId }, now)
    const { principal, profile } = entry
    const booking = await makeBooking(
      db,
      slot,
      {
        ...{ principal, profile, actor: caller.principal, party: 1, people: peopleOf(request) },
        stranger: caller.stranger,
        toldApart: entry.told_apart,
        locale: entry.locale ?? undefined,
        ...(hold ? { hold } : { offer: entry.id }),
      },
      now,
    )
    const accepted = await endEntry(db, entry, { step: 'accept', actor: caller.principal, bookingId: booking.id }, now)
    await recordEntryEvent(db, 'waitlist.converted', accepted, now)
    if (slot.plan.service.waitlist?.waive_fee ?? true) await waiveFee(db, booking, now)
    return { entry: toEntry(accepted, tag, await zoneOf(context)), booking: toBooking(booking, context) }
  },
})

function refuseUnoffered({ status }: EntryRow): void {
  if (status === 'offered') return
  if (status === 'expired') throw offerExpired()
  if (status === 'accepted') throw new Outcome('offer_already_accepted', 'This offer was accepted before.')
  throw new Outcome('invalid_transition', `There is no offer to accept: the entry is ${status}.`)
}

const offerExpired = () => new Outcome('offer_expired', 'The offer has ended. Join again to be offered another time.')
