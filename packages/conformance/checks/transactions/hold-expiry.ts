import { setTimeout as sleep } from 'node:timers/promises'
import { expectEqual, expectTrue } from '../../run/expectations.ts'
import { groupService } from '../../target/service-kinds.ts'
import { check } from '../check.ts'
import { isGranted, PLATFORMS, severalCallers, simultaneously, untilGranted } from './simultaneous-calls.ts'
import { askForHold, askToBook, bookingOf, expectOffered, hasSpots, holdOf, spotsOf } from './slots-and-bookings.ts'
import { waitForEnd } from './wait-for-end.ts'

const options = { needs: ['services.availability', 'services.bookings'] }
/** In milliseconds. The race begins this time before the end of the hold. */
const BEFORE_END_MS = 200
/** In milliseconds. The other platforms ask so often during about two seconds. */
const PAUSE_MS = 400

/** These checks wait until a hold ends by itself, as in the vector flow/101. */
export const holdExpiryChecks = [
  check(
    'HLD-024 LIV-059',
    'A booking with an expired hold gets hold_expired while its slot is free, and a new hold works (flow/101)',
    async (c) => {
      const { hold, slot } = await c.hold()
      await waitForEnd(hold)
      const refused = await askToBook(c, slot, { input: { hold_id: hold.id } })
      expectEqual(refused.refusedWith('hold_expired').severity, 'recoverable', 'severity')
      expectEqual(refused.result?.booking, undefined, 'the booking in the refusal')
      await expectOffered(c, slot, true)
      const again = holdOf(await askForHold(c, slot))
      bookingOf(await askToBook(c, slot, { input: { hold_id: again.id } }))
    },
    options,
  ),
  check(
    'HLD-024 HLD-013 LIV-060',
    'At the end of a hold, its booking or one other platform gets the slot, never both (flow/101)',
    async (c) => {
      const { hold, slot } = await c.hold()
      const callerOf = severalCallers(c)
      await waitForEnd(hold, -BEFORE_END_MS)
      const [own, answers] = await Promise.all([
        sleep(BEFORE_END_MS).then(() => askToBook(c, slot, { input: { hold_id: hold.id } })),
        simultaneously(PLATFORMS, (nth) =>
          untilGranted(() => askForHold(c, slot, { caller: callerOf(nth) }), { pauseMs: PAUSE_MS }),
        ),
      ])
      const winners = [own, ...answers].filter(isGranted)
      expectEqual(winners.length, 1, 'the number of platforms that got the slot')
      for (const answer of answers) if (!isGranted(answer)) answer.refusedWith('slot_unavailable')
      await expectOffered(c, slot, false)
      if (isGranted(own)) return
      own.refusedWith('hold_expired', 'slot_unavailable')
      ;(await askToBook(c, slot, { input: { hold_id: hold.id } })).refusedWith('slot_unavailable')
    },
    options,
  ),
  check(
    'HLD-017 HLD-024',
    'At the end of a hold, its spots are free again for another platform (flow/102)',
    async (c) => {
      c.needsHolds()
      const slot = await c.slot(groupService(c), { where: hasSpots(1) })
      const before = await spotsOf(c, slot)
      const hold = holdOf(await askForHold(c, slot, { input: { spots: before.remaining } }))
      const { caller } = c.newPlatform()
      ;(await askForHold(c, slot, { caller })).refusedWith('slot_unavailable')
      await waitForEnd(hold)
      expectEqual(await spotsOf(c, slot), before, 'the spots after the end of the hold')
      holdOf(await askForHold(c, slot, { caller }))
    },
    options,
  ),
  check(
    'HLD-028',
    'The release of an expired hold says that the hold has expired',
    async (c) => {
      const { hold } = await c.hold()
      await waitForEnd(hold)
      const { status } = holdOf(await c.caller.call('release', { hold_id: hold.id }))
      expectTrue(status === 'expired', 'the status expired', status)
    },
    options,
  ),
]
