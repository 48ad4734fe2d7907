import { findSlot } from '../../domain/availability/find-slot.ts'
import type { HoldRow } from '../../domain/availability/hold-queries.ts'
import { openAssistantLink } from '../../domain/availability/take-over-assistant-hold.ts'
import { bookingAsOf } from '../../domain/bookings/booking-row.ts'
import { createBooking } from '../../domain/bookings/create-booking.ts'
import { GUEST_CODE_MINUTES, mailGuestCode, tryGuestCode } from '../../domain/bookings/guest-codes.ts'
import { bookingOfPrincipal } from '../../domain/bookings/queries.ts'
import { assistedVisitOf, visitorAt } from '../../pipeline/page-visitor.ts'
import { isRefusal } from '../../protocol/errors.ts'
import { canonical } from '../../protocol/parse-json-safely.ts'
import { guestBookingResult, holdOfCode } from './booking-status-tool.ts'
import { callAsAssistedVisitor, undefinedAtLimit } from './call-operation.ts'
import type { Chosen } from './chosen-slot.ts'
import type { Guest } from './person-input.ts'
import { type ToolContext, ToolError, type ToolResult } from './tool-definition.ts'

interface GuestBooking extends Chosen {
  slot_id: string
  guest: Guest
}

const TAG_BYTES = 24

/**
 * Returns the secret that identifies a guest (a person without an account) to the server. The assistant sees this
 * secret only as a part of a booking link.
 */
export const visitOfGuest = (id: string, { dependencies }: ToolContext): string =>
  assistedVisitOf(dependencies.tag('visit of a guest', id, TAG_BYTES))

/**
 * Returns a digest of the slot, the number of people and the guest's data. A mailed code is valid only for the booking
 * with this digest.
 */
const codeScopeOf = ({ slot_id, party, guest }: GuestBooking, { dependencies }: ToolContext): string =>
  dependencies.tag('what a guest books', canonical({ slot_id, party, guest }), TAG_BYTES)

/**
 * Mails a booking code to the guest (a person without an account). Returns the validity of the code in minutes. If the
 * mail limit is reached, the function returns undefined, and the guest books with a link.
 */
export async function mailCode(
  guestBooking: GuestBooking,
  { id, hold }: { id: string; hold: string },
  toolContext: ToolContext,
) {
  const { plan, key, guest } = guestBooking
  const { dependencies, peer } = toolContext
  const visitor = await visitorAt(peer.address, dependencies, 'assistants')
  const snapshot = { service: plan.service.name, start: key.start, zone: plan.zone }
  const to = { email: guest.email, locale: guest.language }
  const mailed = mailGuestCode(
    { id, hold, about: codeScopeOf(guestBooking, toolContext), to, snapshot, visitor },
    dependencies,
  )
  return mailed.then(() => GUEST_CODE_MINUTES, undefinedAtLimit)
}

export async function bookByCode(
  guestBooking: GuestBooking,
  { status_code, code }: { status_code: string; code: string },
  toolContext: ToolContext,
): Promise<ToolResult> {
  const { dependencies } = toolContext
  const hold = await holdOfCode(status_code, dependencies)
  const tried = hold && (await tryGuestCode({ hold: hold.id, code }, dependencies))
  if (!hold || !tried) throw new ToolError(`No code is expected for this status_code any more. ${CALL_AGAIN}`)
  if ('left' in tried) {
    const more = tried.left > 0 ? `Ask the person to check it; ${tried.left} attempts are left.` : `${CALL_AGAIN}`
    throw new ToolError(`This is not the code from the mail. ${more}`, { tries_left: tried.left })
  }
  if (tried.about !== codeScopeOf(guestBooking, toolContext))
    throw new ToolError('The code belongs to the first call: repeat its slot_id, party_size and person unchanged.')
  const visitor = visitOfGuest(tried.id, toolContext)
  const before = await bookingOfPrincipal(dependencies.db, hold.principal)
  if (!before) await bookHeldSlot(guestBooking, hold, visitor, toolContext)
  const booking = before ?? (await bookingOfPrincipal(dependencies.db, hold.principal))
  if (!booking) throw new Error('What a guest booked is not there')
  return guestBookingResult(bookingAsOf(booking, toolContext.now), toolContext)
}

const CALL_AGAIN = 'Call book again without code and status_code: a new code is mailed.'

async function bookHeldSlot(
  { plan, party, slot_id, guest }: GuestBooking,
  hold: HoldRow,
  visitor: string,
  toolContext: ToolContext,
) {
  await extendHold(hold, toolContext)
  const { first_name, last_name, email, phone, notes, language } = guest
  const input = {
    service_id: plan.service.id,
    slot_id,
    hold_id: hold.id,
    party_size: party,
    buyer: { first_name, last_name, email, ...(phone !== undefined && { phone_number: phone }) },
    ...(notes !== undefined && { notes }),
  }
  const answer = await callAsAssistedVisitor(createBooking, input, toolContext, {
    visitor,
    ...(language && { locale: language }),
  })
  if (answer.refusal) throw new ToolError(answer.refusal.content)
}

/**
 * Extends the reservation of the slot after the guest has sent the correct code. If the reservation has expired and the
 * slot is still free, the server reserves the slot again.
 */
async function extendHold(hold: HoldRow, { definition, dependencies, peer, now }: ToolContext): Promise<void> {
  const opener = await visitorAt(peer.address, dependencies, 'assistants')
  try {
    const slot = await findSlot(dependencies.db, definition, {
      tag: dependencies.tag,
      service: hold.service_id,
      id: hold.slot_id,
      now,
    })
    await dependencies.makeChange((tx) => openAssistantLink(tx, { hold, slot }, opener, now))
  } catch (error) {
    if (!isRefusal(error)) throw error
    throw new ToolError('This time has just been booked by another person. Call find_times for others.')
  }
}
