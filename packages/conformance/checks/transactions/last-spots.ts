import type { Answer } from '../../caller/answer.ts'
import type { Caller } from '../../caller/caller.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual } from '../../run/expectations.ts'
import type { Slot } from '../../target/free-slots.ts'
import { groupService } from '../../target/service-kinds.ts'
import { check } from '../check.ts'
import { PLATFORMS, requireOneWinner, simultaneously } from './simultaneous-calls.ts'
import { askForHold, expectOffered, hasSpots, holdOf, listedSlot, spotsOf } from './slots-and-bookings.ts'

const needs = ['services.availability', 'services.bookings']

const newCallers = (c: CheckContext): Caller[] => Array.from({ length: PLATFORMS }, () => c.newPlatform().caller)

const holdOne = (c: CheckContext, slot: Slot, caller: Caller): Promise<Answer> =>
  askForHold(c, slot, { caller, input: { spots: 1 } })

/** Takes a group slot, and holds all its spots except this number. Returns the slot and the number of held spots. */
async function slotWithFree(c: CheckContext, free: number): Promise<{ slot: Slot; held: number }> {
  c.needsHolds()
  const slot = await c.slot(groupService(c), { where: hasSpots(free) })
  const { remaining } = await spotsOf(c, slot)
  if (remaining > free) holdOf(await askForHold(c, slot, { input: { spots: remaining - free } }))
  const { held } = await spotsOf(c, slot)
  return { slot, held }
}

/** Lets the callers hold the last spot of a group slot at the same time: the vector flow/102. */
export async function raceForLastSpot(c: CheckContext, callers: Caller[]): Promise<void> {
  const { slot, held } = await slotWithFree(c, 1)
  const answers = await simultaneously(callers.length, (nth) => holdOne(c, slot, callers[nth] ?? c.caller))
  const [nth, granted] = requireOneWinner(answers)
  await expectOffered(c, slot, false)
  // A full slot stays visible only if it has a waitlist.
  if (await listedSlot(c, slot)) expectEqual(await spotsOf(c, slot), { remaining: 0, held: held + 1 }, 'the spots')
  const next = callers[(nth + 1) % callers.length] ?? c.caller
  ;(await callers[nth]?.call('release', { hold_id: holdOf(granted).id }))?.success()
  holdOf(await holdOne(c, slot, next))
}

export const lastSpotChecks = [
  check(
    'HLD-015 HLD-022 HLD-026',
    'Of simultaneous holds of the last spot, exactly one succeeds, and the others get slot_unavailable (flow/102)',
    (c) => raceForLastSpot(c, newCallers(c)),
    { needs },
  ),
  check(
    'HLD-014 HLD-022',
    'Simultaneous holds of one and of two spots both succeed while three spots are free (flow/102)',
    async (c) => {
      const { slot } = await slotWithFree(c, 3)
      const [first = c.caller, second = c.caller, third = c.caller] = newCallers(c)
      const answers = await Promise.all([
        askForHold(c, slot, { caller: first, input: { spots: 1 } }),
        askForHold(c, slot, { caller: second, input: { spots: 2 } }),
      ])
      expectEqual(
        answers.map((answer) => holdOf(answer).spots),
        [1, 2],
        'spots of the holds',
      )
      await expectOffered(c, slot, false)
      ;(await askForHold(c, slot, { caller: third, input: { spots: 1 } })).refusedWith('slot_unavailable')
    },
    { needs },
  ),
]
