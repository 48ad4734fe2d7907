import type { AvailableTime } from '../../availability/available-times.ts'
import { holdSlot } from '../../availability/hold-slot.ts'
import type { Plan } from '../../availability/plan.ts'
import { releaseHold } from '../../availability/release-hold.ts'
import { timeSlots } from '../../availability/time-slot.ts'
import { newSecret } from '../../keys/secrets.ts'
import { callAsVisitor, type Visit } from '../../pipeline/call-as-visitor.ts'
import type { Hold } from '../../protocol/types.generated.ts'
import type { Asking } from './asking.ts'
import type { Choice, KeptName } from './choice.ts'
import type { ChosenTime } from './chosen-time.ts'
import { fairestFirst } from './fair-choice.ts'
import { isFree, timesAt } from './free-times.ts'
import { holderOf, isKeptTime, type Kept } from './kept.ts'
import type { BookMeans } from './means.ts'

/** A time that was pressed, and what the visitor keeps already. */
export interface Pressed {
  choice: Choice
  time: ChosenTime
  kept: Kept | undefined
}

/** Keeps the time that was pressed, with whoever was asked for or is free; nothing when somebody else was faster. */
export async function holdTime(
  plan: Plan,
  { choice, time, kept }: Pressed,
  { peer }: Pick<Asking, 'peer'>,
  means: BookMeans,
): Promise<(KeptName & { until: Date }) | undefined> {
  const now = means.clock()
  const found = await timesAt(means.db, plan, { choice, now, except: holderOf(kept) }, time)
  // A page that was open before the time was kept still has a button for it.
  if (kept && isKeptTime(kept, plan, choice, found, means)) return { ...kept, until: kept.row.expires_at }
  const free = await fairestFirst(means.db, plan, found.filter(isFree), now)
  const visit = { visitor: choice.kept?.visit ?? newSecret('visit'), peer }
  const giveUp = () => kept && callAsVisitor(releaseHold, { hold_id: kept.hold }, { visitor: kept.visit, peer }, means)
  let held = await firstHeld(plan, choice, free, visit, means)
  // Who chooses another time does not keep both, nor loses the first before there is another, unless that stands in its way.
  if (held && choice.kept) await giveUp()
  if (!held && kept && free.length > 0) {
    await giveUp()
    held = await firstHeld(plan, choice, free, visit, means)
  }
  return held && { hold: held.id, visit: visit.visitor, until: new Date(held.expires_at) }
}

async function firstHeld(
  plan: Plan,
  choice: Choice,
  times: readonly AvailableTime[],
  visit: Visit,
  means: BookMeans,
): Promise<Hold | undefined> {
  for (const time of times) {
    const [slot] = timeSlots(means.tag, plan, [time], plan.zone)
    if (!slot) continue
    const input = { service_id: plan.service.id, slot_id: slot.id, spots: choice.party }
    const answer = await callAsVisitor(holdSlot, input, visit, means)
    if (!answer.refusal) return answer.result.hold
    if (answer.refusal.code !== 'slot_unavailable') return undefined
  }
  return undefined
}
