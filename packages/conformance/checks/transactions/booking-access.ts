import type { Answer, Members } from '../../caller/answer.ts'
import type { OperationName } from '../../caller/operations.ts'
import { expectEqual } from '../../run/expectations.ts'
import { check } from '../check.ts'
import { askToBook, expectOffered, expectUnchanged, PAYMENT } from './slots-and-bookings.ts'

const needs = ['services.bookings']
const UNKNOWN_BOOKING = 'bkg_00000000000000000000'

/** The operations on one booking, with valid input for each. */
const scoped = (booking_id: unknown, slot_id: unknown): [OperationName, Members][] => [
  ['getBooking', { booking_id }],
  ['updateBooking', { booking_id, notes: 'Changed' }],
  ['cancelBooking', { booking_id }],
  ['reschedule', { booking_id, slot_id }],
  ['confirmPayment', { booking_id, payment_result: PAYMENT }],
]

export const bookingAccessChecks = [
  check(
    'BKG-059 BKG-065',
    'A caller without authentication gets the same refusal for known and for unknown bookings',
    async (c) => {
      const { booking } = await c.book()
      const slot = await c.slot(c.simpleService)
      const withoutProof = c.callerFor({ ...c.platform.hosted }, 'none')
      ;(await askToBook(c, slot, { caller: withoutProof })).failsWith('authentication_required')
      for (const [name, input] of scoped(booking.id, slot.id)) {
        const known = await withoutProof.call(name, input)
        const unknown = await withoutProof.call(name, { ...input, booking_id: UNKNOWN_BOOKING })
        for (const answer of [known, unknown]) answer.failsWith('authentication_required')
        expectEqual(outline(known), outline(unknown), `the refusal of ${name}`)
      }
      await expectUnchanged(c, booking)
      await expectOffered(c, slot, true)
    },
    { needs },
  ),
  check(
    'BKG-064 LIV-003 LIV-004',
    'A call about a booking of another platform gets the same answer as for an unknown booking, and changes nothing',
    async (c) => {
      const { booking } = await c.book()
      const slot = await c.slot(c.simpleService)
      const { caller } = c.newPlatform()
      for (const [name, input] of scoped(booking.id, slot.id)) {
        const foreign = await caller.call(name, input)
        const unknown = await caller.call(name, { ...input, booking_id: UNKNOWN_BOOKING })
        for (const answer of [foreign, unknown]) answer.failsWith('booking_not_found')
        expectEqual(outline(foreign), outline(unknown), `the refusal of ${name}`)
        expectEqual(foreign.text.includes(String(slot.id)), false, 'the presence of the slot in the refusal')
      }
      await expectUnchanged(c, booking)
    },
    { needs },
  ),
  check(
    'BKG-060',
    'The server refuses a booking by a tool call that names no platform profile',
    async (c) => {
      const slot = await c.slot(c.simpleService)
      const answer = await askToBook(c, slot, { options: { meta: { profile: undefined } } })
      answer.failsWith('invalid_request')
      await expectOffered(c, slot, true)
    },
    { needs, only: 'mcp' },
  ),
  check(
    'REV-021',
    'A stale revision does not reveal a booking of another platform',
    async (c) => {
      const { booking } = await c.book()
      const { caller } = c.newPlatform()
      for (const booking_id of [booking.id, UNKNOWN_BOOKING]) {
        const answer = await caller.call('updateBooking', { booking_id, notes: 'Changed' }, { ifMatch: 'stale' })
        answer.failsWith('booking_not_found')
      }
    },
    { needs },
  ),
]

/**
 * Returns the parts of a refusal that must be equal for all bookings. The other members may contain the id of the
 * booking.
 */
function outline({ status, error }: Answer): unknown {
  const { instance, detail, content, ...members } = error?.members ?? {}
  return { status, number: error?.number, names: Object.keys(members).toSorted(), title: members.title }
}
