import type { Members } from '../../caller/answer.ts'
import { type OperationName, operations } from '../../caller/operations.ts'
import { type CheckContext, credentialOf } from '../../run/check-context.ts'
import { expectEqual, expectMembers, expectText } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { sampleInputs } from '../core/sample-inputs.ts'
import { join, offeredEntry } from '../transactions/waitlist-scene.ts'
import { bookWithCredential, expectBooking } from './booked.ts'
import { credentialCheck } from './mechanism-check.ts'
import { expectBadRequest, expectRefused } from './probe.ts'
import { callsAboutBooking, callsAboutEntry, expectAuthorized } from './scoped-calls.ts'

const needsWaitlist = { needs: ['services.waitlist'] }
const needsHolds = { needs: ['services.availability'] }

/** The operations for which a platform must authenticate, by their capability. */
const platformOperations: { rules: string; names: OperationName[]; needs: string }[] = [
  { rules: 'AUT-015', names: ['hold'], needs: 'services.availability' },
  { rules: 'AUT-016', names: ['book'], needs: 'services.bookings' },
  { rules: 'AUT-017 AUT-018', names: ['joinWaitlist', 'listWaitlist'], needs: 'services.waitlist' },
  {
    rules: 'AUT-010 AUT-011 AUT-012 AUT-013 AUT-014',
    names: ['subscribe', 'getSubscription', 'pauseSubscription', 'resumeSubscription', 'unsubscribe'],
    needs: 'services.catalog.subscriptions',
  },
  {
    rules: 'AUT-019 AUT-020 AUT-021',
    names: ['register', 'updateRegistration', 'deleteRegistration'],
    needs: 'discovery.registry',
  },
]

export const credentialUseChecks = [
  credentialCheck('BSC-019', 'A credential opens no other booking, not even of the same buyer', async (c) => {
    const { credential } = await bookWithCredential(c)
    const other = await bookWithCredential(c)
    for (const { name, input } of callsAboutBooking(other.id))
      expectRefused(await c.caller.call(name, input, { credential }), 'authentication_required')
    expectEqual((await read(c, other.id)).status, other.booking.status, 'the status of the other booking')
  }),
  credentialCheck(
    'BSC-020',
    'A credential of an entry opens no booking, and one of a booking no entry',
    async (c) => {
      const { id, credential } = await bookWithCredential(c)
      const { entry, result } = await join(c)
      const ofEntry = expectText(credentialOf(result), 'the credential of the entry')
      for (const { name, input } of callsAboutBooking(id))
        expectRefused(await c.caller.call(name, input, { credential: ofEntry }), 'authentication_required')
      for (const { name, input } of callsAboutEntry(entry.id))
        expectRefused(await c.caller.call(name, input, { credential }), 'authentication_required')
    },
    needsWaitlist,
  ),
  credentialCheck(
    'BSC-021',
    'The credential of a hold releases the hold, and opens nothing else',
    async (c) => {
      const { hold, credential } = await c.hold()
      const ofHold = expectText(credential, 'the credential of the hold')
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
    'The credential of a hold does not open the booking that was made from it',
    async (c) => {
      const { hold, slot, credential } = await c.hold()
      const ofHold = expectText(credential, 'the credential of the hold')
      const input = { service_id: c.simpleService.id, slot_id: slot.id, hold_id: hold.id, buyer: c.buyer() }
      const booking = expectMembers((await c.caller.call('book', input)).success().booking, 'booking')
      c.cancelAfterwards(booking)
      const answer = await c.caller.call('getBooking', { booking_id: booking.id }, { credential: ofHold })
      expectRefused(answer, 'authentication_required')
    },
    needsHolds,
  ),
  credentialCheck(
    'POP-008 POP-009 BSC-023',
    'Credential and proof authorize each call about a waitlist entry',
    async (c) => {
      const { entry, result } = await join(c)
      const credential = expectText(credentialOf(result), 'the credential of the entry')
      for (const { name, input } of callsAboutEntry(entry.id))
        expectAuthorized(await c.caller.call(name, input, { credential }))
      const left = (await c.caller.call('getEntry', { entry_id: entry.id })).success()
      expectEqual(expectMembers(left.entry, 'entry').status, 'removed', 'the status of the entry')
    },
    needsWaitlist,
  ),
  credentialCheck(
    'BSC-028',
    'The credential of an entry ends with the entry, which its owner can still read',
    async (c) => {
      const { entry, result } = await join(c)
      const credential = expectText(credentialOf(result), 'the credential of the entry')
      await expectEnded(c, entry, credential, 'leaveWaitlist')
    },
    needsWaitlist,
  ),
  credentialCheck(
    'BSC-008 BSC-028',
    'The credential of an entry is valid while the entry has an offer, and ends when the buyer declines it',
    async (c) => {
      const { entry, credential } = await offeredEntry(c)
      await expectEnded(c, entry, expectText(credential, 'the credential of the entry'), 'declineOffer')
    },
    needsWaitlist,
  ),
  ...platformOperations.map(({ rules, names, needs }) =>
    credentialCheck(
      rules,
      `A credential alone does not authorize ${names.join(', ')}`,
      async (c) => {
        const { credential } = await bookWithCredential(c)
        for (const name of names)
          expectRefused(await c.caller.call(name, sampleInputs[name], { credential }), 'authentication_required')
      },
      { needs: [needs] },
    ),
  ),
  credentialCheck('LIV-107 BSC-022 AUT-032', 'No platform and no credential may confirm a booking', async (c) => {
    const { id, credential } = await bookWithCredential(c)
    const input = { booking_id: id }
    expectRefused(await c.caller.call('confirmBooking', input, { credential }), 'authentication_required')
    expectRefused(await c.caller.call('confirmBooking', input), 'authentication_required')
    expectRefused(await c.anonymous.call('confirmBooking', input), 'authentication_required')
    const signed = { authentication: 'signature' } as const
    expectRefused(await c.caller.call('confirmBooking', input, signed), 'authentication_required')
  }),
  credentialCheck(
    'BSC-024',
    'A credential with a scope authorizes the methods of its scope and no others',
    async (c) => {
      const { id, credential, result } = await bookWithCredential(c)
      const { scope } = expectMembers(result.booking_scoped_credential, 'booking_scoped_credential')
      if (!Array.isArray(scope)) throw new Skip('The credential of a booking has no scope.')
      for (const { name, input } of callsAboutBooking(id)) {
        const answer = await c.caller.call(name, input, { credential })
        if (scope.includes(operations[name].tool)) expectAuthorized(answer)
        else expectRefused(answer, 'authentication_required')
      }
    },
  ),
  credentialCheck('BSC-034', 'A call with a credential needs the name of the platform profile as well', async (c) => {
    const { id, credential } = await bookWithCredential(c)
    const options = { credential, headers: { 'usp-agent': null }, meta: { profile: undefined } }
    expectBadRequest(await c.caller.call('getBooking', { booking_id: id }, options), 'invalid_request')
  }),
  credentialCheck('BSC-035', 'A credential under another profile than before is refused', async (c) => {
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

/** Requires that the credential works before this call, and not after it. */
async function expectEnded(c: CheckContext, entry: Members, credential: string, name: OperationName): Promise<void> {
  const input = { entry_id: entry.id }
  const before = await c.caller.call('getEntry', input, { credential })
  expectEqual(expectMembers(before.success().entry, 'entry').id, entry.id, 'the id of the entry')
  ;(await c.caller.call(name, input, { credential })).success()
  expectRefused(await c.caller.call('getEntry', input, { credential }), 'authentication_required')
  const after = (await c.caller.call('getEntry', input)).success()
  expectEqual(expectMembers(after.entry, 'entry').id, entry.id, 'the id of the entry')
}
