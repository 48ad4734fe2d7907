import type { StoredSession } from '../../core/ledger/class-session-batches.ts'
import { DAY } from '../../infra/time/time-units.ts'
import { isTimeSliceUsed, yieldToEventLoop } from '../../infra/util/yield-to-event-loop.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { MAX_ADVANCE_MS } from '../availability/availability-limits.ts'
import { sessionsInBatches, type WantedSession } from '../availability/scheduled-class-sessions.ts'
import { type Plan, planOf } from '../availability/service-scheduling-plan.ts'

/** The server stores a class session (one date of a class) this many milliseconds before buyers can first book it. */
const STORED_AHEAD_MS = 3 * DAY

export interface Opening {
  kind: 'open'
  at: number
  plan: Plan
  session: WantedSession
}

/**
 * One change that makes the stored class sessions match the business definition. The server makes changes with an
 * earlier `at` (an instant in milliseconds) first.
 */
export type SessionChange =
  | { kind: 'remove'; at: number; id: string }
  | { kind: 'adjust'; at: number; id: string; capacity: number }
  | Opening

/**
 * Lists all changes that make the stored class sessions match the business definition, earliest first. A new session
 * may need the teacher or room of an old session at about the same time. Therefore the server removes the old session
 * before it opens the new session.
 */
export async function sessionChanges(
  definition: BusinessDefinition,
  stored: readonly StoredSession[],
  now: Date,
): Promise<SessionChange[]> {
  const unwanted = new Map<string, StoredSession>()
  for (const session of stored) {
    if (isTimeSliceUsed()) await yieldToEventLoop()
    unwanted.set(slotOf(session.service, session.start), session)
  }
  const changes = new ChangesByDay()
  let longest = 0
  for await (const { plan, session } of wantedSessions(definition, now)) {
    if (isTimeSliceUsed()) await yieldToEventLoop()
    const { start: at, end, capacity } = session
    longest = Math.max(longest, end - at + plan.before + plan.after)
    const slot = slotOf(plan.service.id, at)
    const found = unwanted.get(slot)
    if (found?.isCanceled) continue
    if (found && isSame(found, session)) {
      unwanted.delete(slot)
      if (!found.isWanted || (!found.isResized && found.capacity !== capacity))
        changes.add({ kind: 'adjust', at, id: found.id, capacity })
    } else if (!found?.isKept) changes.add({ kind: 'open', at, plan, session })
  }
  for (const { id, start, isCanceled, isKept } of unwanted.values()) {
    if (isTimeSliceUsed()) await yieldToEventLoop()
    if (!isCanceled && !isKept) changes.add({ kind: 'remove', at: start - longest, id })
  }
  return changes.earliestFirst()
}

async function* wantedSessions(definition: BusinessDefinition, now: Date) {
  for (const { id, type } of definition.services) {
    const plan = type === 'group' ? planOf(definition, id) : undefined
    if (!plan) continue
    for await (const sessions of sessionsInBatches(plan, [
      now.getTime(),
      now.getTime() + Math.min(plan.maxAdvance, MAX_ADVANCE_MS) + STORED_AHEAD_MS,
    ]))
      for (const session of sessions) yield { plan, session }
  }
}

const slotOf = (service: string, start: number) => `${service} ${start}`

/**
 * Whether a stored class session matches a session of the business definition. The two sessions must have the same
 * location and the same resources, such as the teacher.
 */
const isSame = (stored: StoredSession, wanted: WantedSession) =>
  (stored.location ?? undefined) === wanted.location &&
  stored.resources.toSorted().join(' ') === wanted.resources.toSorted().join(' ')

/**
 * Collects changes of class sessions and sorts them by time. The class `ChangesByDay` sorts the changes of each day
 * separately. Sorting a hundred thousand changes at once would block the event loop.
 */
class ChangesByDay {
  readonly #days = new Map<number, SessionChange[]>()

  add(change: SessionChange): void {
    const day = Math.floor(change.at / DAY)
    const changes = this.#days.get(day) ?? []
    this.#days.set(day, changes)
    changes.push(change)
  }

  async earliestFirst(): Promise<SessionChange[]> {
    const sorted: SessionChange[] = []
    for (const [, changes] of [...this.#days].sort(([one], [other]) => one - other)) {
      if (isTimeSliceUsed()) await yieldToEventLoop()
      sorted.push(...changes.sort((one, other) => one.at - other.at))
    }
    return sorted
  }
}
