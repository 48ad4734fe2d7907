import { seatsPass } from '../../core/ledger/class-session-seats.ts'
import { claimPass } from '../../core/ledger/resource-claims.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { type HoldRow, holdStatus, holdUntil } from './hold-queries.ts'

/**
 * Extends a hold (a short reservation of a slot), so that it lasts at least until the given instant. Returns false if
 * the hold no longer reserves its slot.
 */
export async function extendHold(tx: UnitOfWork, hold: HoldRow, until: Date, now: Date): Promise<boolean> {
  if (holdStatus(hold, now) !== 'active') return false
  if (hold.expires_at >= until) return true
  const holder = { kind: 'hold', id: hold.id } as const
  const extension = { from: holder, to: holder, expiresAt: until }
  const isKept = (await claimPass(tx, extension, now)).length > 0 || (await seatsPass(tx, extension, now)) !== undefined
  if (!isKept) return false
  await holdUntil(tx, hold.id, until)
  return true
}
