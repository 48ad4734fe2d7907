import { findSlot, type Slot } from '../../availability/find-slot.ts'
import { type HoldRow, holdFind } from '../../availability/hold-queries.ts'
import type { Plan } from '../../availability/plan.ts'
import { principalOf } from '../../pipeline/visitor.ts'
import { Outcome } from '../../protocol/errors.ts'
import type { BookMeans } from './means.ts'

/** A time that this visitor keeps. */
export interface Held {
  plan: Plan
  slot: Slot
  hold: HoldRow
  visitor: string
}

/** What the address of the page names, as long as it is kept; for anybody else there is nothing. */
export async function heldBy(plan: Plan, query: URLSearchParams, means: BookMeans): Promise<Held | undefined> {
  const [id, visitor] = [query.get('hold') ?? '', query.get('visit') ?? '']
  const { db, tag, clock } = means
  const now = clock()
  const hold = await holdFind(db, id, principalOf(visitor))
  if (!hold || hold.service_id !== plan.service.id) return undefined
  const slot = await findSlot(db, plan.business, { tag, service: hold.service_id, id: hold.slot_id, now }).catch(
    unlessRefused,
  )
  return slot && { plan, slot, hold, visitor }
}

export const isKept = ({ hold: { status, expires_at } }: Held, now: Date): boolean =>
  status === 'active' && expires_at > now

function unlessRefused(error: unknown): undefined {
  if (!(error instanceof Outcome)) throw error
}
