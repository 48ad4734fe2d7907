import { expectEqual, expectInstant, expectTrue } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { check } from '../check.ts'
import {
  askForHold,
  askToBook,
  expectOffered,
  hasSpots,
  holdOf,
  spotsOf,
  UNKNOWN_HOLD,
  UNKNOWN_SERVICE,
} from './slots-and-bookings.ts'
import { hasWaitlist } from './waitlist-steps.ts'

const needs = ['services.availability']

export const holdRequestChecks = [
  check(
    'HLD-002',
    'A business without holds refuses a hold',
    async (c) => {
      if (c.target.capability('services.availability')?.holds === true) throw new Skip('The business offers holds.')
      const answer = await askForHold(c, await c.slot(c.simpleService))
      expectEqual('hold' in (answer.result ?? {}), false, 'the presence of a hold in the answer')
      const release = await c.caller.call('release', { hold_id: UNKNOWN_HOLD })
      expectTrue(release.error !== undefined, 'a refusal of the release', release.text)
    },
    { needs },
  ),
  check(
    'HLD-005',
    'The server refuses a hold without a slot or a service',
    async (c) => {
      c.needsHolds()
      const { id, service_id } = await c.slot(c.simpleService)
      for (const input of [{ slot_id: id }, { service_id }])
        (await c.caller.call('hold', input)).failsWith('invalid_request')
    },
    { needs },
  ),
  check(
    'HLD-006 HLD-018',
    'The server refuses a hold of zero, negative or fractional spots, and takes no slot',
    async (c) => {
      c.needsHolds()
      const slot = await c.slot(c.simpleService)
      for (const spots of [0, -1, 1.5]) (await askForHold(c, slot, { input: { spots } })).failsWith('validation_error')
      await expectOffered(c, slot, true)
    },
    { needs },
  ),
  check(
    'LIV-010 LIV-011',
    'The server refuses a hold for an unknown service as an invalid input',
    async (c) => {
      c.needsHolds()
      const { id } = await c.slot(c.simpleService)
      const answer = await c.caller.call('hold', { service_id: UNKNOWN_SERVICE, slot_id: id })
      answer.failsWith('validation_error')
    },
    { needs },
  ),
  check(
    'HLD-010',
    'The server refuses a hold that names a slot of another service',
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
    'A new hold gets HTTP 201',
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
    'The refusal of a hold is recoverable, and contains no credential',
    async (c) => {
      const { slot } = await c.hold()
      const answer = await askForHold(c, slot, { caller: c.newPlatform().caller })
      const { severity } = answer.refusedWith('slot_unavailable')
      expectEqual(severity, 'recoverable', 'severity')
      expectEqual(
        'booking_scoped_credential' in (answer.result ?? {}),
        false,
        'the presence of a credential in the refusal',
      )
    },
    { needs },
  ),
  check(
    'HLD-008',
    'A full slot with a waitlist cannot be held or booked',
    async (c) => {
      c.needsHolds()
      const group = c.service('group service with a waitlist', (one) => one.type === 'group' && hasWaitlist(one))
      const slot = await c.slot(group, { where: hasSpots(1) })
      const { remaining } = await spotsOf(c, slot)
      holdOf(await askForHold(c, slot, { input: { spots: remaining } }))
      const { caller } = c.newPlatform()
      ;(await askForHold(c, slot, { caller })).refusedWith('slot_unavailable')
      ;(await askToBook(c, slot, { caller })).refusedWith('slot_unavailable')
    },
    { needs },
  ),
]
