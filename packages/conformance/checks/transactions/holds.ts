import { expectEqual, expectInstant, expectTrue } from '../../run/expectations.ts'
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
      expectEqual('revision' in hold, false, 'the presence of a revision in the hold')
    },
    { needs },
  ),
  check(
    'HLD-007 HLD-012',
    'Another platform cannot hold a held slot of an appointment',
    async (c) => {
      const { slot } = await c.hold()
      const answer = await askForHold(c, slot, { caller: c.newPlatform().caller })
      answer.refusedWith('slot_unavailable')
      expectEqual('hold' in (answer.result ?? {}), false, 'the presence of a hold in the refusal')
    },
    { needs },
  ),
  check(
    'HLD-025 HLD-026',
    'Another platform can hold a released slot at once',
    async (c) => {
      const { slot, hold } = await c.hold()
      const released = holdOf(await c.caller.call('release', { hold_id: hold.id }))
      expectEqual(released.status, 'released', 'status')
      holdOf(await askForHold(c, slot, { caller: c.newPlatform().caller }))
    },
    { needs },
  ),
  check(
    'HLD-032 AUT-034',
    'The server refuses a hold without authentication',
    async (c) => {
      const slot = await c.slot(c.simpleService)
      const answer = await askForHold(c, slot, { caller: c.anonymous })
      answer.failsWith('authentication_required')
    },
    { needs },
  ),
]
