import { findSlot, type Slot } from '../../domain/availability/find-slot.ts'
import { type HoldRow, holdFind } from '../../domain/availability/hold-queries.ts'
import type { Plan } from '../../domain/availability/plan.ts'
import { bookingOfHold } from '../../domain/bookings/queries.ts'
import { principalOf } from '../../pipeline/visitor.ts'
import { Outcome } from '../../protocol/errors.ts'
import { type Choice, choiceOf } from './choice.ts'
import { isActive } from './kept.ts'
import type { BookMeans } from './means.ts'

/** A time that this visitor keeps. */
export interface Held {
  plan: Plan
  slot: Slot
  hold: HoldRow
  visitor: string
  /** What led to it. */
  choice: Choice
}

/** What the address of the page names, as long as it is kept; for anybody else there is nothing. */
export async function heldBy(
  plan: Plan,
  query: URLSearchParams,
  means: BookMeans,
): Promise<Held | { booking: string } | undefined> {
  const [id, visitor] = [query.get('hold') ?? '', query.get('visit') ?? '']
  const { db, tag, clock } = means
  const now = clock()
  const hold = await holdFind(db, id, principalOf(visitor))
  if (!hold || hold.service_id !== plan.service.id) return undefined
  // Who goes back after booking is led to the booking, whatever became of the slot.
  const booking = hold.status === 'converted' ? await bookingOfHold(db, id) : undefined
  if (booking !== undefined) return { booking }
  const slot = await findSlot(db, plan.business, { tag, service: hold.service_id, id: hold.slot_id, now }).catch(
    unlessRefused,
  )
  return slot && { plan, slot, hold, visitor, choice: choiceOf(plan, query) }
}

export const isKept = ({ hold }: Held, now: Date): boolean => isActive(hold, now)

function unlessRefused(error: unknown): undefined {
  if (!(error instanceof Outcome)) throw error
}
