import { hash } from 'node:crypto'
import type { AvailableTime } from '../../domain/availability/available-times.ts'
import { holdFind, liveHoldFind } from '../../domain/availability/hold-queries.ts'
import { holdSlot } from '../../domain/availability/hold-slot.ts'
import { releaseHold } from '../../domain/availability/release-hold.ts'
import type { Plan } from '../../domain/availability/service-scheduling-plan.ts'
import { timeSlots } from '../../domain/availability/time-slot-response.ts'
import { callAsVisitor, findStoredAnswer, ignoreNotFound, type Visit } from '../../pipeline/call-operation-from-page.ts'
import { visitPrincipal } from '../../pipeline/page-visitor.ts'
import type { Hold } from '../../protocol/types.generated.ts'
import { type ChosenTime, timeText } from './chosen-time.ts'
import { type CurrentHold, holderOf, isActive, isHeldTime } from './current-hold.ts'
import { isFree, timesAt } from './search-free-times.ts'
import { fairestFirst } from './sort-times-by-workload.ts'
import type { BookDependencies, StepRequest } from './step-request.ts'
import { type Choice, type HoldReference, queryOf, type ServiceChoice } from './visitor-choices.ts'

export interface Pressed {
  choice: Choice
  time: ChosenTime
  currentHold: CurrentHold | undefined
  /**
   * The digest of the token in the submitted form. Each rendered form has another token, so the digest identifies the
   * form.
   */
  form: string
}

/**
 * Reserves the chosen time for a visitor. The server chooses free people and rooms if the visitor chose none. Returns
 * undefined if another buyer was faster. If the visitor presses the same button twice, returns the first hold (the
 * reserved slot).
 */
export async function holdTime(
  plan: Plan,
  pressed: Pressed,
  { peer }: Pick<StepRequest, 'peer'>,
  dependencies: BookDependencies,
): Promise<(HoldReference & { until: Date }) | undefined> {
  const { choice, time } = pressed
  const now = dependencies.clock()
  const visitor = choice.currentHold?.visit ?? `visit_${pressed.form}`
  const [before, lost] = await Promise.all([
    findEarlierPress(plan, pressed, visitor, dependencies),
    findHoldOfForm(plan, pressed, visitor, dependencies),
  ])
  if (before.held) return before.held
  const currentHold = lost ?? pressed.currentHold
  const found = await timesAt(dependencies.db, plan, { choice, now, except: holderOf(currentHold) }, time)
  // The visitor may press a button on an old page, for a time that they already hold. The server then returns this
  // hold.
  if (currentHold && isHeldTime(currentHold, { plan, choice }, found, dependencies))
    return { ...currentHold, until: currentHold.row.expires_at }
  const free = await fairestFirst(dependencies.db, plan, found.filter(isFree), now)
  const visit = { visitor, peer, submission: before.next }
  const giveUp = () =>
    currentHold &&
    callAsVisitor(releaseHold, { hold_id: currentHold.hold }, { visitor: currentHold.visit, peer }, dependencies).catch(
      ignoreNotFound,
    )
  let held = await firstHeld({ plan, choice }, free, visit, dependencies)
  // A visitor who chooses another time keeps the old hold until the new hold exists. If the server cannot create the
  // new hold, the old hold may block the new time. The server then ends the old hold and tries once more.
  if (held && choice.currentHold) await giveUp()
  if (!held && currentHold && free.length > 0) {
    await giveUp()
    held = await firstHeld({ plan, choice }, free, visit, dependencies)
  }
  if (held) return { hold: held.id, visit: visitor, until: new Date(held.expires_at) }
  // The browser can send one press of the button as two requests. The first request then holds the time, and the second
  // request finds the hold of the first request.
  return (await findEarlierPress(plan, pressed, visitor, dependencies)).held
}

/**
 * Finds the active hold (a reserved slot) that an earlier press of the same button created. If there is no active hold,
 * returns the idempotency key for a new hold.
 */
async function findEarlierPress(
  plan: Plan,
  { choice, time, form }: Pressed,
  visitor: string,
  dependencies: BookDependencies,
) {
  const principal = visitPrincipal(visitor)
  for (let nth = 0; ; nth++) {
    const press = [form, plan.service.id, timeText(time), String(queryOf(plan, choice)), nth]
    const next = { key: `press ${hash('sha256', JSON.stringify(press), 'base64url')}`, content: '' }
    const answer = await findStoredAnswer(holdSlot, principal, next, dependencies)
    if (!answer) return { next }
    const row = await holdFind(dependencies.db, answer.hold.id, principal)
    if (row && isActive(row, dependencies.clock()))
      return { held: { hold: row.id, visit: visitor, until: row.expires_at } }
  }
}

/**
 * Finds the visitor's hold (a reserved slot) that another button on the same page created. If the browser did not
 * receive the answer to that press, it does not know the hold.
 */
async function findHoldOfForm(plan: Plan, { choice }: Pressed, visitor: string, dependencies: BookDependencies) {
  // If the URL contains a hold, the function does not search. The visitor may have got the URL from another person. The
  // secret in the URL would then find a hold of that other person.
  if (choice.currentHold) return undefined
  const holdQuery = { principal: visitPrincipal(visitor), service: plan.service.id, now: dependencies.clock() }
  const row = await liveHoldFind(dependencies.db, holdQuery)
  return row && { hold: row.id, visit: visitor, row }
}

async function firstHeld(
  { plan, choice }: ServiceChoice,
  times: readonly AvailableTime[],
  visit: Visit,
  dependencies: BookDependencies,
): Promise<Hold | undefined> {
  for (const time of times) {
    const [slot] = timeSlots(dependencies.tag, plan, [time], { zone: plan.zone })
    if (!slot) continue
    const input = { service_id: plan.service.id, slot_id: slot.id, spots: choice.party }
    const answer = await callAsVisitor(holdSlot, input, visit, dependencies)
    if (!answer.refusal) return answer.result.hold
    if (answer.refusal.code !== 'slot_unavailable') return undefined
  }
  return undefined
}
