import { expectEqual } from '../../run/expectations.ts'
import { sharedService } from '../../target/service-kinds.ts'
import { check } from '../check.ts'
import { askForHold, expectOffered, hasSpots, holdOf, newKey, spotsOf } from './slots-and-bookings.ts'

const needs = ['services.availability']

export const holdReplayChecks = [
  check(
    'HLD-050 IDM-001',
    'A hold repeated with its idempotency key returns the first hold, and takes no second spot',
    async (c) => {
      c.needsHolds()
      const slot = await c.slot(sharedService(c), { where: hasSpots(2) })
      const options = newKey()
      const first = holdOf(await askForHold(c, slot, { options }))
      const spots = await spotsOf(c, slot)
      const second = holdOf(await askForHold(c, slot, { options }))
      expectEqual([second.id, second.expires_at], [first.id, first.expires_at], 'id and expires_at of the hold')
      expectEqual(await spotsOf(c, slot), spots, 'the spots after the second request')
    },
    { needs },
  ),
  check(
    'HLD-051 LIV-012',
    'The idempotency key of one hold cannot be used for a hold of another slot',
    async (c) => {
      c.needsHolds()
      const options = newKey()
      holdOf(await askForHold(c, await c.slot(c.simpleService), { options }))
      const other = await c.slot(c.simpleService)
      ;(await askForHold(c, other, { options })).failsWith('idempotency_conflict')
      await expectOffered(c, other, true)
    },
    { needs },
  ),
  check(
    'HLD-052 IDM-016',
    'The server repeats the refusal of a hold for its idempotency key, even if the slot is free again',
    async (c) => {
      const { hold, slot } = await c.hold()
      const { caller } = c.newPlatform()
      const options = newKey()
      ;(await askForHold(c, slot, { caller, options })).refusedWith('slot_unavailable')
      await c.caller.call('release', { hold_id: hold.id })
      ;(await askForHold(c, slot, { caller, options })).refusedWith('slot_unavailable')
      holdOf(await askForHold(c, slot, { caller }))
    },
    { needs },
  ),
]
