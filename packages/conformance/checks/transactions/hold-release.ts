import { expectEqual } from '../../run/expectations.ts'
import { check } from '../check.ts'
import {
  askForHold,
  askToBook,
  bookingOf,
  expectOffered,
  expectTaken,
  holdOf,
  readBooking,
  UNKNOWN_HOLD,
} from './slots-and-bookings.ts'

const needs = ['services.availability']

export const holdReleaseChecks = [
  check(
    'HLD-027',
    'A second release of a hold gets the same answer as the first',
    async (c) => {
      const { hold, slot } = await c.hold()
      for (let round = 1; round <= 2; round++) {
        const released = holdOf(await c.caller.call('release', { hold_id: hold.id }))
        expectEqual(released.status, 'released', `status after release ${round}`)
      }
      await expectOffered(c, slot, true)
    },
    { needs },
  ),
  check(
    'LIV-006',
    'The release of an unknown hold gets HTTP 404 with the type about:blank',
    async (c) => {
      c.needsHolds()
      const { error, status } = await c.caller.call('release', { hold_id: UNKNOWN_HOLD })
      expectEqual(status, 404, 'the HTTP status')
      expectEqual(error?.members.type, 'about:blank', 'type')
    },
    { needs, only: 'rest' },
  ),
  check(
    'HLD-031',
    'The release of a hold of another platform gets the same answer as for an unknown hold, and changes nothing',
    async (c) => {
      const { hold, slot } = await c.hold()
      const { caller } = c.newPlatform()
      const foreign = await caller.call('release', { hold_id: hold.id })
      const unknown = await caller.call('release', { hold_id: UNKNOWN_HOLD })
      expectEqual(foreign.status, unknown.status, 'the HTTP status for a foreign hold')
      expectEqual(foreign.error?.number, unknown.error?.number, 'the number of the error for a foreign hold')
      expectEqual(foreign.error?.code, unknown.error?.code, 'the code of the error for a foreign hold')
      expectEqual('hold' in (foreign.result ?? {}), false, 'the presence of the hold in the answer')
      ;(await askForHold(c, slot, { caller })).refusedWith('slot_unavailable')
      bookingOf(await askToBook(c, slot, { input: { hold_id: hold.id } }))
    },
    { needs },
  ),
  check(
    'HLD-032',
    'The server refuses a release without authentication, and changes nothing',
    async (c) => {
      const { hold, slot } = await c.hold()
      const answer = await c.anonymous.call('release', { hold_id: hold.id })
      answer.failsWith('authentication_required')
      await expectTaken(c, slot)
    },
    { needs },
  ),
  check(
    'HLD-033',
    'A release ignores If-Match',
    async (c) => {
      const { hold } = await c.hold()
      const answer = await c.caller.call('release', { hold_id: hold.id }, { ifMatch: 'revision-of-nothing' })
      expectEqual(holdOf(answer).status, 'released', 'status')
    },
    { needs },
  ),
  check(
    'HLD-029 HLD-035',
    'The release of a booked hold changes neither the booking nor its slot',
    async (c) => {
      const { hold, slot } = await c.hold()
      const booking = bookingOf(await askToBook(c, slot, { input: { hold_id: hold.id } }))
      const released = await c.caller.call('release', { hold_id: hold.id })
      expectEqual(holdOf(released).status, 'converted', 'status')
      expectEqual((await readBooking(c, booking)).status, booking.status, 'status of the booking')
      await expectOffered(c, slot, false)
    },
    { needs: [...needs, 'services.bookings'] },
  ),
]
