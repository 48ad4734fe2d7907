import type { Answer, Members } from '../../caller/answer.ts'
import { type CheckContext, credentialOf } from '../../run/check-context.ts'
import { expectEqual, expectMembers, expectText } from '../../run/expectations.ts'
import { bookingOf } from '../transactions/slots-and-bookings.ts'
import { join } from '../transactions/waitlist-steps.ts'

/** Books a free time. Returns the booking, its id and the secret of its credential. */
export async function bookWithCredential(c: CheckContext, caller = c.caller) {
  const { booking, credential, result } = await c.book(c.simpleService, { caller })
  return {
    id: expectText(booking.id, 'the id of the booking'),
    credential: expectText(credential, 'booking_scoped_credential.value'),
    booking,
    result,
  }
}

/** Holds a free time. Returns the hold, its slot and the secret of its credential. */
export async function holdWithCredential(c: CheckContext) {
  const { hold, slot, credential } = await c.hold()
  return { hold, slot, credential: expectText(credential, 'the credential of the hold') }
}

/** Joins a waitlist. Returns the entry and the secret of its credential. */
export async function joinWithCredential(c: CheckContext) {
  const { entry, result } = await join(c)
  return { entry, credential: expectText(credentialOf(result), 'the credential of the entry') }
}

/** Returns the credential in the result of a hold, booking or waitlist entry. */
export const issuedCredential = (result: Members): Members =>
  expectMembers(result.booking_scoped_credential, 'booking_scoped_credential')

/** Requires that the new credential in a result is not bound to a key. */
export function expectUnbound(result: Members): void {
  expectEqual('cnf' in issuedCredential(result), false, 'the presence of cnf in the credential')
}

/** Requires that the answer contains the booking with this id. */
export function expectBooking(answer: Answer, id: string): Members {
  const booking = bookingOf(answer)
  expectEqual(booking.id, id, 'the id of the booking')
  return booking
}
