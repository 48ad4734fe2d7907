import type { Answer, Members } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectMembers, expectText } from '../../run/expectations.ts'

/** Books a free time, and returns the id of the booking and the value of its credential. */
export async function bookWithCredential(c: CheckContext, caller = c.caller) {
  const { booking, credential, result } = await c.book(c.simpleService, { caller })
  return {
    id: expectText(booking.id, 'the id of the booking'),
    credential: expectText(credential, 'booking_scoped_credential.value'),
    booking,
    result,
  }
}

/** Requires an answer that contains this booking. */
export function expectBooking(answer: Answer, id: string): Members {
  const booking = expectMembers(answer.success().booking, 'booking')
  expectEqual(booking.id, id, 'the id of the booking')
  return booking
}
