import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectMembers, expectTrue } from '../../run/expectations.ts'
import { join } from '../transactions/waitlist-scene.ts'
import { bookWithCredential, expectBooking } from './booked.ts'
import { credentialCheck, proofCheck } from './mechanism-check.ts'
import { expectAccepted, expectRefused, newKeyCaller, probe, secondsNow } from './probe.ts'
import { callsAboutBooking, expectAuthorized } from './scoped-calls.ts'

export const proofIdentityChecks = [
  proofCheck(
    'POP-001 POP-002 SIG-045',
    'A proof alone authenticates a hold',
    async (c) => {
      await c.hold()
    },
    { needs: ['services.availability'] },
  ),
  proofCheck('POP-001 POP-002 SIG-045', 'A proof alone authenticates a booking', async (c) => {
    await c.book()
  }),
  proofCheck(
    'POP-001 POP-002 POP-003',
    'A proof alone authenticates a waitlist entry and the list of entries',
    async (c) => {
      const { entry } = await join(c)
      const { entries } = (await c.caller.call('listWaitlist')).success()
      expectTrue(
        Array.isArray(entries) && entries.some(({ id }) => id === entry.id),
        `the entry ${entry.id} in the list`,
        entries,
      )
    },
    { needs: ['services.waitlist'] },
  ),
  proofCheck(
    'POP-006',
    'A key that the server has never seen books in one call, with a profile that publishes no keys',
    async (c) => {
      const { hosted, caller } = c.newPlatform()
      const { keys: _, ...document } = hosted.document
      hosted.document = document
      await c.book(c.simpleService, { caller })
    },
  ),
  credentialCheck('POP-004 BSC-018', 'The credential is bound to the RFC 7638 thumbprint of the key', async (c) => {
    for (const algorithm of ['ES256', 'EdDSA'] as const) {
      const { key, caller } = newKeyCaller(c, algorithm)
      const { result } = await c.book(c.simpleService, { caller })
      const credential = expectMembers(result.booking_scoped_credential, 'booking_scoped_credential')
      expectEqual(credential.cnf, { jkt: key.thumbprint }, 'cnf')
    }
  }),
  proofCheck('POP-005 POP-012', 'A proof by the key that created them reads several bookings', async (c) => {
    const ids = [(await c.book()).booking.id, (await c.book()).booking.id]
    for (const id of ids)
      for (const binding of c.target.bindings)
        expectBooking(await c.caller.call('getBooking', { booking_id: id }, { binding }), String(id))
  }),
  proofCheck('POP-012 BSC-038', 'The key that created a booking changes it without the credential', async (c) => {
    const { id } = await bookWithCredential(c)
    expectBooking(await c.caller.call('updateBooking', { booking_id: id, buyer: c.buyer() }), id)
    const canceled = expectBooking(await c.caller.call('cancelBooking', { booking_id: id }), id)
    expectEqual(canceled.status, 'canceled', 'status')
  }),
  proofCheck(
    'POP-013 AUT-058 LIV-003',
    'Another key sees and changes no booking, even under the same profile',
    async (c) => {
      const { booking } = await c.book()
      const { key } = newKeyCaller(c)
      const other = c.callerFor({ profile: c.platform.hosted.profile, key })
      for (const { name, input } of callsAboutBooking(booking.id))
        (await other.call(name, input)).failsWith('booking_not_found', { rest: 404, mcp: -32602 })
      const read = expectBooking(await c.caller.call('getBooking', { booking_id: booking.id }), String(booking.id))
      expectEqual([read.status, read.buyer], [booking.status, booking.buyer], 'the status and buyer of the booking')
    },
  ),
  proofCheck(
    'POP-046 AUT-050',
    'A kid that names a published key gives the rights of the proof’s own key only',
    async (c) => {
      const { booking } = await c.book()
      const { profile, key: published } = c.platform.hosted
      const { key } = newKeyCaller(c)
      const other = c.callerFor({ profile, key })
      const read = (header: object) =>
        other.call(
          'getBooking',
          { booking_id: booking.id },
          { proof: { header: { kid: published.thumbprint, ...header } } },
        )
      expectAccepted(await read({}))
      expectRefused(await read({ jwk: published.jwk }), 'pop_proof_invalid')
    },
  ),
  proofCheck('POP-047', 'Further members of the jwk do not change the identity of the key', async (c) => {
    const { booking } = await c.book()
    const { jwk } = c.platform.hosted.key
    for (const more of [{ use: 'sig', kid: 'mine' }, { key_ops: ['verify'] }]) {
      const proof = { header: { jwk: { ...more, ...jwk } } }
      expectBooking(await c.caller.call('getBooking', { booking_id: booking.id }, { proof }), String(booking.id))
    }
  }),
  credentialCheck(
    'POP-008 POP-009 POP-010 BSC-022',
    'Credential and proof authorize each call about the booking',
    async (c) => {
      const { id, credential } = await bookWithCredential(c)
      for (const { name, input } of callsAboutBooking(id))
        expectAuthorized(await c.caller.call(name, input, { credential }))
      const canceled = expectBooking(await c.caller.call('getBooking', { booking_id: id }), id)
      expectEqual([canceled.status, canceled.notes], ['canceled', 'Conformance'], 'the status and notes of the booking')
    },
  ),
  proofCheck(
    'POP-077',
    'A faulty proof of a creation is refused with the code of its step, and nothing is booked',
    async (c) => {
      const slot = await c.slot(c.simpleService)
      const input = { service_id: c.simpleService.id, slot_id: slot.id, buyer: c.buyer() }
      const faults = [{ header: { typ: 'JWT' } }, { header: { alg: 'none' } }, ...claimsOfSteps(c)]
      for (const proof of faults) expectRefused(await c.caller.call('book', input, { proof }), 'pop_proof_invalid')
      const proof = { claims: { jti: `jti-${slot.id}` } }
      expectAccepted(await probe(c.caller, { proof }))
      expectRefused(await c.caller.call('book', input, { proof }), 'pop_proof_replayed')
      const booking = expectMembers((await c.caller.call('book', input)).success().booking, 'booking')
      c.cancelAfterwards(booking)
    },
  ),
]

/** Claims that each break one of the steps 8, 9 and 11 of the check of a proof. */
function claimsOfSteps({ binding }: CheckContext): { claims: object }[] {
  const wrong =
    binding === 'rest'
      ? [{ htm: 'DELETE' }, { htu: 'https://other.example/usp/v1/bookings' }]
      : [{ aud: 'https://other.example/.well-known/usp' }, { usp_m: 'usp_bookings_cancel' }, { usp_p: 'A'.repeat(43) }]
  return [...wrong, { iat: secondsNow() - 3600 }].map((claims) => ({ claims }))
}
