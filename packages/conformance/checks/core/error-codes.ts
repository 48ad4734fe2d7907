import { randomUUID } from 'node:crypto'
import { asMembers, type Members } from '../../caller/answer.ts'
import { expectEqual, expectTrue, inCase } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { dateIn } from '../../target/free-slots.ts'
import { check } from '../check.ts'
import { expectCursorRefused } from './input-faults.ts'
import { sampleInputs } from './sample-inputs.ts'

/** An invalid value for each tested member. No answer may repeat this text. */
const SECRET = 'Zq7Xw-private-text'

export const errorCodeChecks = [
  check('LIV-013', 'The server refuses a cursor that it did not issue', async ({ anonymous }) => {
    for (const cursor of ['no-cursor', 'eyJhIjoxfQ', '%'])
      expectCursorRefused(await anonymous.call('listServices', { pagination: { cursor } }))
  }),
  check(
    'LIV-014',
    'The server refuses a query for too many days',
    async (c) => {
      const [service] = c.services
      if (!service) throw new Skip('The catalogue is empty.')
      const range = { service_id: service.id, start_date: dateIn(2), end_date: dateIn(20_000) }
      const answer = await c.anonymous.call('queryAvailability', range)
      if (answer.result) throw new Skip('The business accepts a query for fifty years.')
      answer.failsWith('range_too_wide')
    },
    { needs: ['services.availability'] },
  ),
  check(
    'LIV-012',
    'The server refuses an idempotency key that belongs to another request',
    async (c) => {
      c.needsHolds()
      const idempotencyKey = randomUUID()
      const slot = await c.slot(c.simpleService)
      const input = { service_id: c.simpleService.id, slot_id: slot.id }
      const { hold } = (await c.caller.call('hold', input, { idempotencyKey })).success()
      c.endHoldAfterwards(slot, asMembers(hold) ?? {})
      const answer = await c.caller.call('hold', { ...input, slot_id: 'slot_of_nobody' }, { idempotencyKey })
      answer.failsWith('idempotency_conflict')
    },
    { needs: ['services.availability'] },
  ),
  check(
    'ERR-049',
    'The server refuses a change based on another revision of the booking',
    async (c) => {
      const { booking } = await c.book()
      const on = { booking_id: booking.id }
      const answer = await c.caller.call('updateBooking', { ...on, notes: 'Conformance' }, { ifMatch: '999999' })
      answer.failsWith('revision_mismatch')
      const { booking: after } = (await c.caller.call('getBooking', on)).success()
      expectEqual(asMembers(after)?.notes, booking.notes, 'notes')
    },
    { needs: ['services.bookings'] },
  ),
  check(
    'ERR-045',
    'The server refuses a privileged call without authentication',
    async (c) => {
      const answer = await c.anonymous.call('getBooking', sampleInputs.getBooking)
      answer.failsWith('authentication_required')
    },
    { needs: ['services.bookings'] },
  ),
  check(
    'LIV-031',
    'An error about personal data names the member, but does not repeat its value',
    async (c) => {
      const { caller } = c.sharedPlatform
      const faults: [string, Members][] = [
        ['buyer', { buyer: { ...c.buyer(), email: SECRET } }],
        ['buyer', { buyer: SECRET }],
        ['buyer', { buyer: { ...c.buyer(), first_name: [SECRET] } }],
        ['recipient', { recipient: { ...c.buyer(), email: SECRET } }],
        ['delivery_address', { delivery_address: SECRET }],
        ['notes', { notes: [SECRET] }],
      ]
      for (const [member, fault] of faults) {
        const answer = await caller.call('book', { ...sampleInputs.book, ...fault })
        inCase(JSON.stringify(fault), () => {
          answer.failsWith('validation_error')
          expectTrue(answer.text.includes(member), `the name of the member ${member}`, answer.text)
          expectEqual(answer.text.includes(SECRET), false, 'the presence of the value in the error')
        })
      }
    },
    { needs: ['services.bookings'] },
  ),
]
