import { holdSlot } from '../../availability/hold-slot.ts'
import type { Plan } from '../../availability/plan.ts'
import { timeSlots } from '../../availability/time-slot.ts'
import { callAsVisitor, type Visit } from '../../pipeline/call-as-visitor.ts'
import type { Hold } from '../../protocol/types.generated.ts'
import type { Choice } from './choice.ts'
import type { ChosenTime } from './chosen-time.ts'
import { fairestFirst } from './fair-choice.ts'
import { isFree, timesAt } from './free-times.ts'
import type { BookMeans } from './means.ts'

/** Keeps the time that was pressed, with whoever was asked for or is free; nothing when somebody else was faster. */
export async function holdTime(
  plan: Plan,
  choice: Choice,
  chosen: ChosenTime,
  visit: Visit,
  means: BookMeans,
): Promise<Hold | undefined> {
  const now = means.clock()
  const free = (await timesAt(means.db, plan, { choice, now }, chosen)).filter(isFree)
  for (const time of await fairestFirst(means.db, plan, free, now)) {
    const [slot] = timeSlots(means.tag, plan, [time], plan.zone)
    if (!slot) continue
    const input = { service_id: plan.service.id, slot_id: slot.id, spots: choice.party }
    const answer = await callAsVisitor(holdSlot, input, visit, means)
    if (!answer.refusal) return answer.result.hold
    if (answer.refusal.code !== 'slot_unavailable') return undefined
  }
  return undefined
}
