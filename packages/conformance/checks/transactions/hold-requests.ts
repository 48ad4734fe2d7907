import { expectEqual, expectInstant, expectTrue } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { check } from '../check.ts'
import { askForHold, expectOffered, holdOf } from './slots-and-bookings.ts'

const needs = ['services.availability']
const INVALID = { rest: 422, mcp: -32602 }

export const holdRequestChecks = [
  check(
    'HLD-002',
    'A business without holds refuses a hold',
    async (c) => {
      if (c.target.capability('services.availability')?.holds === true) throw new Skip('The business offers holds.')
      const answer = await askForHold(c, await c.slot(c.simpleService))
      expectEqual('hold' in (answer.result ?? {}), false, 'whether the answer has a hold')
      const release = await c.caller.call('release', { hold_id: 'hold_of_nobody' })
      expectTrue(release.error !== undefined, 'a refused release', release.text)
    },
    { needs },
  ),
  check(
    'HLD-005',
    'A hold request without a slot or a service is refused',
    async (c) => {
      c.needsHolds()
      const { id, service_id } = await c.slot(c.simpleService)
      for (const input of [{ slot_id: id }, { service_id }])
        (await c.caller.call('hold', input)).failsWith('invalid_request', { rest: 400, mcp: -32600 })
    },
    { needs },
  ),
  check(
    'HLD-006 HLD-018',
    'A hold of no spot, or of a part of a spot, is refused and takes nothing',
    async (c) => {
      c.needsHolds()
      const slot = await c.slot(c.simpleService)
      for (const spots of [0, -1, 1.5])
        (await askForHold(c, slot, { input: { spots } })).failsWith('validation_error', INVALID)
      await expectOffered(c, slot, true)
    },
    { needs },
  ),
  check(
    'LIV-010 LIV-011',
    'A hold of an unknown service is refused as an invalid request',
    async (c) => {
      c.needsHolds()
      const { id } = await c.slot(c.simpleService)
      const answer = await c.caller.call('hold', { service_id: 'svc_of_no_business', slot_id: id })
      answer.failsWith('validation_error', INVALID)
    },
    { needs },
  ),
  check(
    'HLD-010',
    'A slot of another service cannot be held',
    async (c) => {
      c.needsHolds()
      const slot = await c.slot(c.simpleService)
      const other = c.service('second service', ({ id }) => id !== slot.service_id)
      const answer = await c.caller.call('hold', { service_id: other.id, slot_id: slot.id })
      answer.refusedWith('slot_unavailable')
      await expectOffered(c, slot, true)
    },
    { needs },
  ),
  check(
    'HLD-001',
    'The answer to a new hold is 201',
    async (c) => {
      c.needsHolds()
      const answer = await askForHold(c, await c.slot(c.simpleService))
      expectEqual(answer.status, 201, 'the HTTP status')
    },
    { needs, only: 'rest' },
  ),
  check(
    'HLD-023',
    'A hold lasts ten minutes',
    async (c) => {
      const { hold } = await c.hold()
      const minutes = (expectInstant(hold.expires_at, 'expires_at') - Date.now()) / 60_000
      expectTrue(minutes > 9 && minutes < 11, 'an expires_at in ten minutes', `${minutes.toFixed(1)} minutes`)
    },
    { needs },
  ),
  check(
    'HLD-007',
    'The refusal of a hold can be answered with another slot',
    async (c) => {
      const { slot } = await c.hold()
      const answer = await askForHold(c, slot, { caller: c.newPlatform().caller })
      const { severity } = answer.refusedWith('slot_unavailable')
      expectEqual(severity, 'recoverable', 'severity')
      expectEqual('booking_scoped_credential' in (answer.result ?? {}), false, 'whether the refusal has a credential')
    },
    { needs },
  ),
  check(
    'HLD-008',
    'A full slot with a waitlist can neither be held nor booked',
    async (c) => {
      c.needsHolds()
      const shared = c.service('group service with a waitlist', ({ capacity, type }) => {
        const isWaitlisted = typeof capacity === 'object' && capacity !== null && 'waitlist' in capacity
        return type === 'group' && isWaitlisted && capacity.waitlist === true
      })
      const slot = await c.slot(shared, { where: ({ capacity }) => typeof capacity === 'object' })
      const { remaining } = slot.capacity as { remaining: number }
      holdOf(await askForHold(c, slot, { input: { spots: remaining } }))
      const { caller } = c.newPlatform()
      ;(await askForHold(c, slot, { caller })).refusedWith('slot_unavailable')
      const booking = await caller.call('book', c.bookingOf(slot))
      booking.refusedWith('slot_unavailable')
    },
    { needs },
  ),
]
