import type { Answer, Members } from '../../caller/answer.ts'
import type { OperationName } from '../../caller/operations.ts'
import { expectTrue } from '../../run/expectations.ts'
import { sampleInputs } from '../core/sample-inputs.ts'

interface Call {
  name: OperationName
  input: Members
}

const calls = (names: OperationName[], about: Members): Call[] =>
  names.map((name) => ({ name, input: { ...sampleInputs[name], ...about } }))

/** All calls of a platform about one booking. The last call cancels the booking. */
export const callsAboutBooking = (booking_id: unknown): Call[] =>
  calls(['getBooking', 'updateBooking', 'confirmPayment', 'reschedule', 'cancelBooking'], { booking_id })

/** All calls about one waitlist entry. The last call removes the entry. */
export const callsAboutEntry = (entry_id: unknown): Call[] =>
  calls(['getEntry', 'acceptOffer', 'declineOffer', 'leaveWaitlist'], { entry_id })

const REFUSED_CALLER = [401, 403, 404, -32001, -32006]

/** Requires that the server authorized the caller. A rule of the business may still have forbidden the call. */
export function expectAuthorized({ error }: Answer): void {
  const isRefused =
    error !== undefined && (REFUSED_CALLER.includes(error.number) || /_not_found$/.test(String(error.code)))
  expectTrue(!isRefused, 'an authorized call', `${error?.number} ${error?.code}`)
}
