import { randomUUID } from 'node:crypto'
import { expectEqual } from '../../run/expectations.ts'
import { check } from '../check.ts'
import { sharedService } from './service-kinds.ts'
import { askForHold, expectOffered, hasSpots, holdOf, spotsOf } from './slots-and-bookings.ts'

const needs = ['services.availability']
const CONFLICT = { rest: 409, mcp: -32602 }

export const holdReplayChecks = [
  check(
    'HLD-050 IDM-001',
    'A hold request repeated with its key answers with the first hold and takes no second spot',
    async (c) => {
      c.needsHolds()
      const slot = await c.slot(sharedService(c), { where: hasSpots(2) })
      const options = { idempotencyKey: randomUUID() }
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
    'A key of one hold cannot be used for a hold of another slot',
    async (c) => {
      c.needsHolds()
      const options = { idempotencyKey: randomUUID() }
      holdOf(await askForHold(c, await c.slot(c.simpleService), { options }))
      const other = await c.slot(c.simpleService)
      ;(await askForHold(c, other, { options })).failsWith('idempotency_conflict', CONFLICT)
      await expectOffered(c, other, true)
    },
    { needs },
  ),
  check(
    'HLD-052 IDM-016',
    'The refusal of a hold is repeated for its key, even when the slot is free again',
    async (c) => {
      const { hold, slot } = await c.hold()
      const { caller } = c.newPlatform()
      const options = { idempotencyKey: randomUUID() }
      ;(await askForHold(c, slot, { caller, options })).refusedWith('slot_unavailable')
      await c.caller.call('release', { hold_id: hold.id })
      ;(await askForHold(c, slot, { caller, options })).refusedWith('slot_unavailable')
      holdOf(await askForHold(c, slot, { caller }))
    },
    { needs },
  ),
]
