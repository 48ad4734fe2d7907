import type { Answer, Members } from '../../caller/answer.ts'
import type { OperationName } from '../../caller/operations.ts'
import { expectEqual } from '../../run/expectations.ts'
import { check } from '../check.ts'
import { askToBook, expectOffered, expectUnchanged } from './slots-and-bookings.ts'

const needs = ['services.bookings']
const UNKNOWN = 'bkg_00000000000000000000'
const PAYMENT = { status: 'paid', transaction_id: 'txn_1', amount_paid: 1000, currency: 'USD' }

/** The operations on one booking, each with an input that could succeed. */
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
      ;(await askToBook(c, slot, { caller: withoutProof })).failsWith('authentication_required', REFUSED)
      for (const [name, input] of scoped(booking.id, slot.id)) {
        const known = await withoutProof.call(name, input)
        const unknown = await withoutProof.call(name, { ...input, booking_id: UNKNOWN })
        for (const answer of [known, unknown]) answer.failsWith('authentication_required', REFUSED)
        expectEqual(outline(known), outline(unknown), `the refusal of ${name}`)
      }
      await expectUnchanged(c, booking)
      await expectOffered(c, slot, true)
    },
    { needs },
  ),
  check(
    'BKG-064 LIV-003 LIV-004',
    'A foreign booking is answered like an unknown one, and nothing changes',
    async (c) => {
      const { booking } = await c.book()
      const slot = await c.slot(c.simpleService)
      const { caller } = c.newPlatform()
      for (const [name, input] of scoped(booking.id, slot.id)) {
        const foreign = await caller.call(name, input)
        const unknown = await caller.call(name, { ...input, booking_id: UNKNOWN })
        for (const answer of [foreign, unknown]) answer.failsWith('booking_not_found', { rest: 404, mcp: -32602 })
        expectEqual(outline(foreign), outline(unknown), `the refusal of ${name}`)
        expectEqual(foreign.text.includes(String(slot.id)), false, 'whether the refusal shows the slot')
      }
      await expectUnchanged(c, booking)
    },
    { needs },
  ),
  check(
    'BKG-060',
    'A tool call that names no platform profile books nothing',
    async (c) => {
      const slot = await c.slot(c.simpleService)
      const answer = await askToBook(c, slot, { options: { meta: { profile: undefined } } })
      answer.failsWith('invalid_request', { rest: 400, mcp: -32600 })
      await expectOffered(c, slot, true)
    },
    { needs, only: 'mcp' },
  ),
  check(
    'REV-021',
    'A stale revision does not reveal a foreign booking',
    async (c) => {
      const { booking } = await c.book()
      const { caller } = c.newPlatform()
      for (const booking_id of [booking.id, UNKNOWN]) {
        const answer = await caller.call('updateBooking', { booking_id, notes: 'Changed' }, { ifMatch: 'stale' })
        answer.failsWith('booking_not_found', { rest: 404, mcp: -32602 })
      }
    },
    { needs },
  ),
]

const REFUSED = { rest: 401, mcp: -32006 }

/** What two refusals must have in common: everything but what differs by chance, or quotes the id. */
function outline({ status, error }: Answer): unknown {
  const { instance, detail, content, ...members } = error?.members ?? {}
  return { status, number: error?.number, names: Object.keys(members).toSorted(), title: members.title }
}
