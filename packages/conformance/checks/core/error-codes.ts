import { randomUUID } from 'node:crypto'
import { asMembers, type Members } from '../../caller/answer.ts'
import { expectEqual, expectTrue, inCase } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { dateIn } from '../../target/free-slots.ts'
import { check } from '../check.ts'

/** Texts that no answer may repeat. Each is invalid where the check puts it. */
const SECRET = 'Zq7Xw-private-text'

export const errorCodeChecks = [
  check('LIV-013', 'A cursor that the server did not issue is refused', async ({ anonymous }) => {
    for (const cursor of ['no-cursor', 'eyJhIjoxfQ', '%'])
      (await anonymous.call('listServices', { pagination: { cursor } })).failsWith('cursor_expired', {
        rest: 400,
        mcp: -32602,
      })
  }),
  check(
    'LIV-014',
    'A query of too many days is refused',
    async (c) => {
      const [service] = c.services
      if (!service) throw new Skip('The catalogue is empty.')
      const range = { service_id: service.id, start_date: dateIn(2), end_date: dateIn(20_000) }
      const answer = await c.anonymous.call('queryAvailability', range)
      if (answer.result) throw new Skip('The business accepts a query of fifty years.')
      answer.failsWith('range_too_wide', { rest: 400, mcp: -32602 })
    },
    { needs: ['services.availability'] },
  ),
  check(
    'LIV-012',
    'An idempotency key of another request is refused',
    async (c) => {
      c.needsHolds()
      const idempotencyKey = randomUUID()
      const slot = await c.slot(c.simpleService)
      const input = { service_id: c.simpleService.id, slot_id: slot.id }
      const { hold } = (await c.caller.call('hold', input, { idempotencyKey })).success()
      c.endHoldAfterwards(slot, asMembers(hold) ?? {})
      const answer = await c.caller.call('hold', { ...input, slot_id: 'slot_of_nobody' }, { idempotencyKey })
      answer.failsWith('idempotency_conflict', { rest: 409, mcp: -32602 })
    },
    { needs: ['services.availability'] },
  ),
  check(
    'ERR-049',
    'A change on another revision of the booking is refused',
    async (c) => {
      const { booking } = await c.book()
      const on = { booking_id: booking.id }
      const answer = await c.caller.call('updateBooking', { ...on, notes: 'Conformance' }, { ifMatch: '999999' })
      answer.failsWith('revision_mismatch', { rest: 412, mcp: -32002 })
      const { booking: after } = (await c.caller.call('getBooking', on)).success()
      expectEqual(asMembers(after)?.notes, booking.notes, 'notes')
    },
    { needs: ['services.bookings'] },
  ),
  check(
    'ERR-045',
    'A privileged call without authentication is refused',
    async (c) => {
      const answer = await c.anonymous.call('getBooking', { booking_id: 'booking_of_nobody' })
      answer.failsWith('authentication_required', { rest: 401, mcp: -32006 })
    },
    { needs: ['services.bookings'] },
  ),
  check(
    'LIV-031',
    'An error about a person names the member and does not quote its value',
    async (c) => {
      const { caller } = c.sharedPlatform
      const input = { service_id: 'service_of_nobody', slot_id: 'slot_of_nobody', buyer: c.buyer() }
      const faults: [string, Members][] = [
        ['buyer', { buyer: { ...c.buyer(), email: SECRET } }],
        ['buyer', { buyer: SECRET }],
        ['buyer', { buyer: { ...c.buyer(), first_name: [SECRET] } }],
        ['recipient', { recipient: { ...c.buyer(), email: SECRET } }],
        ['delivery_address', { delivery_address: SECRET }],
        ['notes', { notes: [SECRET] }],
      ]
      for (const [member, fault] of faults) {
        const answer = await caller.call('book', { ...input, ...fault })
        inCase(JSON.stringify(fault), () => {
          answer.failsWith('validation_error', { rest: 422, mcp: -32602 })
          expectTrue(answer.text.includes(member), `the name of the member ${member}`, answer.text)
          expectEqual(answer.text.includes(SECRET), false, 'whether the error quotes the value')
        })
      }
    },
    { needs: ['services.bookings'] },
  ),
]
