import { seatsPass } from '../../core/ledger/class-session-seats.ts'
import { claimPass } from '../../core/ledger/resource-claims.ts'
import { transferToStranger } from '../../core/limits/stranger-caller-quota.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { deadlineAt, MINUTE } from '../../infra/time/time-units.ts'
import type { Stranger } from '../../protocol/caller-types.ts'
import { allocateSlot } from './allocate-slot.ts'
import { HOLD_MINUTES } from './availability-limits.ts'
import { refuseOutsideWindow, type Slot } from './find-slot.ts'
import { type HoldRow, holdLock, holdMarkOpened } from './hold-queries.ts'

/**
 * The server calls this function when the buyer opens the link to a hold (a short reservation) by an AI assistant. The
 * server extends the hold to the usual duration, and counts it toward the limits of the buyer's network. If the hold
 * has expired, the server reserves the slot again or refuses. A second opening of the link changes nothing.
 */
export async function openAssistantLink(
  tx: UnitOfWork,
  { hold: { id, principal, profile }, slot }: { hold: HoldRow; slot: Slot },
  opener: Stranger,
  now: Date,
): Promise<HoldRow | undefined> {
  const hold = await holdLock(tx, id, { identities: [principal], profile })
  if (hold?.status !== 'active' || hold.unopened_on === null) return hold
  await transferToStranger(tx, opener, { kind: 'hold', id }, now)
  const holder = { kind: 'hold', id } as const
  const expires_at = deadlineAt(now.getTime() + HOLD_MINUTES * MINUTE)
  if (hold.expires_at > now) {
    await claimPass(tx, { from: holder, to: holder, expiresAt: expires_at }, now)
    await seatsPass(tx, { from: holder, to: holder, expiresAt: expires_at }, now)
  } else {
    refuseOutsideWindow(slot, now)
    await allocateSlot(tx, { ...slot, party: hold.spots, holder, expiresAt: expires_at, now })
  }
  await holdMarkOpened(tx, id, expires_at)
  return { ...hold, expires_at, unopened_on: null }
}
