import { findSlot, type Slot } from '../../domain/availability/find-slot.ts'
import { type HoldRow, holdFind } from '../../domain/availability/hold-queries.ts'
import type { Plan } from '../../domain/availability/service-scheduling-plan.ts'
import { bookingOfHold } from '../../domain/bookings/queries.ts'
import { visitPrincipal } from '../../pipeline/page-visitor.ts'
import { isRefusal } from '../../protocol/errors.ts'
import { isActive } from './current-hold.ts'
import type { BookDependencies } from './step-request.ts'
import { type Choice, choiceOf } from './visitor-choices.ts'

export interface Held {
  plan: Plan
  slot: Slot
  hold: HoldRow
  visitor: string
  choice: Choice
}

/**
 * Finds the hold (a reserved slot) that the URL names, or the booking that the visitor made from this hold. Returns
 * undefined if the secret in the URL does not belong to the hold.
 */
export async function findHeld(
  plan: Plan,
  query: URLSearchParams,
  dependencies: BookDependencies,
): Promise<Held | { booking: string } | undefined> {
  const [id, visitor] = [query.get('hold') ?? '', query.get('visit') ?? '']
  const { db, tag, clock } = dependencies
  const now = clock()
  const hold = await holdFind(db, id, visitPrincipal(visitor))
  if (!hold || hold.service_id !== plan.service.id) return undefined
  // The server does not look for the slot of a booking, because the slot may no longer exist. A visitor who goes back
  // must still see the booking.
  const booking = hold.status === 'converted' ? await bookingOfHold(db, id) : undefined
  if (booking !== undefined) return { booking }
  const slot = await findSlot(db, plan.business, { tag, service: hold.service_id, id: hold.slot_id, now }).catch(
    unlessRefused,
  )
  return slot && { plan, slot, hold, visitor, choice: choiceOf(plan, query) }
}

export const isStillHeld = ({ hold }: Held, now: Date): boolean => isActive(hold, now)

function unlessRefused(error: unknown): undefined {
  if (!isRefusal(error)) throw error
}
