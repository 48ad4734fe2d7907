import type { Members } from '../../caller/answer.ts'
import { type OperationName, operations } from '../../caller/operations.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectMembers, expectText } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { sampleInputs } from '../core/sample-inputs.ts'
import { askToBook, bookingOf } from '../transactions/slots-and-bookings.ts'
import { offeredEntry } from '../transactions/waitlist-steps.ts'
import { privileged } from './access-privileged.ts'
import {
  bookWithCredential,
  expectBooking,
  holdWithCredential,
  issuedCredential,
  joinWithCredential,
} from './booked.ts'
import { credentialCheck } from './mechanism-check.ts'
import { expectBadRequest, expectRefused, signed } from './probe.ts'
import { callsAboutBooking, callsAboutEntry, expectAuthorized } from './scoped-calls.ts'

const needsWaitlist = { needs: ['services.waitlist'] }
const needsHolds = { needs: ['services.availability'] }

const privilegedCapabilities = [...new Set(privileged.map(([, , needs]) => needs))]

export const credentialUseChecks = [
  credentialCheck(
    'BSC-019',
    'A credential gives no access to other bookings, not even of the same platform',
    async (c) => {
      const { credential } = await bookWithCredential(c)
      const other = await bookWithCredential(c)
      for (const { name, input } of callsAboutBooking(other.id))
        expectRefused(await c.caller.call(name, input, { credential }), 'authentication_required')
      expectEqual((await read(c, other.id)).status, other.booking.status, 'the status of the other booking')
    },
  ),
  credentialCheck(
    'BSC-020',
    'The credential of an entry gives no access to bookings, and the credential of a booking none to entries',
    async (c) => {
      const { id, credential } = await bookWithCredential(c)
      const { entry, credential: ofEntry } = await joinWithCredential(c)
      for (const { name, input } of callsAboutBooking(id))
        expectRefused(await c.caller.call(name, input, { credential: ofEntry }), 'authentication_required')
      for (const { name, input } of callsAboutEntry(entry.id))
        expectRefused(await c.caller.call(name, input, { credential }), 'authentication_required')
    },
    needsWaitlist,
  ),
  credentialCheck(
    'BSC-021',
    'The credential of a hold can release the hold, but gives no access to bookings',
    async (c) => {
      const { hold, credential: ofHold } = await holdWithCredential(c)
      const { id } = await bookWithCredential(c)
      for (const { name, input } of callsAboutBooking(id))
        expectRefused(await c.caller.call(name, input, { credential: ofHold }), 'authentication_required')
      const released = await c.caller.call('release', { hold_id: hold.id }, { credential: ofHold })
      expectEqual(expectMembers(released.success().hold, 'hold').status, 'released', 'status')
      const again = await c.caller.call('release', { hold_id: hold.id }, { credential: ofHold })
      expectRefused(again, 'authentication_required')
    },
    needsHolds,
  ),
  credentialCheck(
    'BSC-021',
    'The credential of a hold gives no access to the booking of the held slot',
    async (c) => {
      const { hold, slot, credential: ofHold } = await holdWithCredential(c)
      const booking = bookingOf(await askToBook(c, slot, { input: { hold_id: hold.id } }))
      const answer = await c.caller.call('getBooking', { booking_id: booking.id }, { credential: ofHold })
      expectRefused(answer, 'authentication_required')
    },
    needsHolds,
  ),
  credentialCheck(
    'POP-008 POP-009 BSC-023',
    'A credential with a proof authorizes each call about a waitlist entry',
    async (c) => {
      const { entry, credential } = await joinWithCredential(c)
      for (const { name, input } of callsAboutEntry(entry.id))
        expectAuthorized(await c.caller.call(name, input, { credential }))
      const left = (await c.caller.call('getEntry', { entry_id: entry.id })).success()
      expectEqual(expectMembers(left.entry, 'entry').status, 'removed', 'the status of the entry')
    },
    needsWaitlist,
  ),
  credentialCheck(
    'BSC-028',
    'The credential of an entry ends when the entry ends, but the owner can still read the entry',
    async (c) => {
      const { entry, credential } = await joinWithCredential(c)
      await expectEnded(c, entry, credential, 'leaveWaitlist')
    },
    needsWaitlist,
  ),
  credentialCheck(
    'BSC-008 BSC-028',
    'The credential of an entry is valid during an offer, and ends when the platform declines the offer',
    async (c) => {
      const { entry, credential } = await offeredEntry(c)
      await expectEnded(c, entry, expectText(credential, 'the credential of the entry'), 'declineOffer')
    },
    needsWaitlist,
  ),
  ...privilegedCapabilities.map((capability) => {
    const rows = privileged.filter(([, , needs]) => needs === capability)
    const names = rows.map(([, name]) => name)
    return credentialCheck(
      rows.map(([rule]) => rule).join(' '),
      `A credential alone does not authorize ${names.join(', ')}`,
      async (c) => {
        const { credential } = await bookWithCredential(c)
        for (const name of names)
          expectRefused(await c.caller.call(name, sampleInputs[name], { credential }), 'authentication_required')
      },
      { needs: [capability] },
    )
  }),
  credentialCheck(
    'LIV-107 BSC-022 AUT-032',
    'A platform cannot confirm a booking, not even with its credential',
    async (c) => {
      const { id, credential } = await bookWithCredential(c)
      const input = { booking_id: id }
      for (const options of [{ credential }, {}, signed()])
        expectRefused(await c.caller.call('confirmBooking', input, options), 'authentication_required')
      expectRefused(await c.anonymous.call('confirmBooking', input), 'authentication_required')
    },
  ),
  credentialCheck('BSC-024', 'A credential with a scope authorizes only the methods in its scope', async (c) => {
    const { id, credential, result } = await bookWithCredential(c)
    const { scope } = issuedCredential(result)
    if (!Array.isArray(scope)) throw new Skip('The credential of a booking has no scope.')
    for (const { name, input } of callsAboutBooking(id)) {
      const answer = await c.caller.call(name, input, { credential })
      if (scope.includes(operations[name].tool)) expectAuthorized(answer)
      else expectRefused(answer, 'authentication_required')
    }
  }),
  credentialCheck(
    'BSC-034',
    'The server refuses a call with a credential that names no platform profile',
    async (c) => {
      const { id, credential } = await bookWithCredential(c)
      const options = { credential, headers: { 'usp-agent': null }, meta: { profile: undefined } }
      expectBadRequest(await c.caller.call('getBooking', { booking_id: id }, options), 'invalid_request')
    },
  ),
  credentialCheck('BSC-035', 'The server refuses a credential with another profile than before', async (c) => {
    const { id, credential } = await bookWithCredential(c)
    const { key } = c.platform.hosted
    const elsewhere = c.callerFor({ profile: c.sharedPlatform.hosted.profile, key })
    const answer = await elsewhere.call('getBooking', { booking_id: id }, { credential })
    expectRefused(answer, 'authentication_required')
    expectBooking(await c.caller.call('getBooking', { booking_id: id }, { credential }), id)
  }),
]

async function read(c: CheckContext, booking_id: string): Promise<Members> {
  return expectBooking(await c.caller.call('getBooking', { booking_id }), booking_id)
}

/** Requires that the credential works before the call `name`, but not after it. */
async function expectEnded(c: CheckContext, entry: Members, credential: string, name: OperationName): Promise<void> {
  const input = { entry_id: entry.id }
  const before = await c.caller.call('getEntry', input, { credential })
  expectEqual(expectMembers(before.success().entry, 'entry').id, entry.id, 'the id of the entry')
  ;(await c.caller.call(name, input, { credential })).success()
  expectRefused(await c.caller.call('getEntry', input, { credential }), 'authentication_required')
  const after = (await c.caller.call('getEntry', input)).success()
  expectEqual(expectMembers(after.entry, 'entry').id, entry.id, 'the id of the entry')
}
