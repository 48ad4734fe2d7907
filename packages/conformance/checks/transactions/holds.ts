import { expectEqual, expectInstant, expectMembers, expectTrue } from '../../run/expectations.ts'
import { check } from '../check.ts'
import { askForHold, holdOf } from './slots-and-bookings.ts'

const needs = ['services.availability']

export const holdChecks = [
  check(
    'HLD-001 HLD-003 HLD-004 HLD-034',
    'A free slot can be held',
    async (c) => {
      const { hold, slot } = await c.hold()
      c.schemas.expectValid('availability#Hold', hold, 'the hold')
      expectEqual(hold.status, 'active', 'status')
      expectEqual(hold.slot_id, slot.id, 'slot_id')
      expectEqual(hold.spots ?? 1, 1, 'spots')
      expectTrue(
        expectInstant(hold.expires_at, 'expires_at') > Date.now(),
        'an expires_at in the future',
        hold.expires_at,
      )
      expectEqual('revision' in hold, false, 'whether the hold has a revision')
    },
    { needs },
  ),
  check(
    'HLD-007 HLD-012',
    'A held slot of an appointment cannot be held by another platform',
    async (c) => {
      const { slot } = await c.hold()
      const { caller } = c.newPlatform()
      const answer = await caller.call('hold', { service_id: c.simpleService.id, slot_id: slot.id })
      answer.refusedWith('slot_unavailable')
      expectEqual('hold' in (answer.result ?? {}), false, 'whether the refusal has a hold')
    },
    { needs },
  ),
  check(
    'HLD-025 HLD-026',
    'A released slot can be held at once by another platform',
    async (c) => {
      const { slot, hold } = await c.hold()
      const released = (await c.caller.call('release', { hold_id: hold.id })).success()
      expectEqual(expectMembers(released.hold, 'hold').status, 'released', 'status')
      holdOf(await askForHold(c, slot, { caller: c.newPlatform().caller }))
    },
    { needs },
  ),
  check(
    'HLD-032 AUT-034',
    'A hold without authentication is refused',
    async (c) => {
      const slot = await c.slot(c.simpleService)
      const answer = await c.anonymous.call('hold', { service_id: c.simpleService.id, slot_id: slot.id })
      answer.failsWith('authentication_required', { rest: 401, mcp: -32006 })
    },
    { needs },
  ),
]
