import type { Selectable } from 'kysely'
import type { Blocks } from '../../../infra/db/schema.generated.ts'
import { BusinessRefusal, isRefusal } from '../../../protocol/errors.ts'
import type { ClearTime } from '../../../protocol/types.generated.ts'
import { subtracted } from '../../availability/time-spans.ts'
import { allocationEnd } from '../../bookings/allocate-booking-slot.ts'
import { moveBooking } from '../../bookings/apply-booking-move.ts'
import type { BookingRow } from '../../bookings/booking-row.ts'
import { cancel } from '../../bookings/cancel-and-refund.ts'
import { refuseByStatus } from '../../bookings/operations-by-status.ts'
import { refuseUnlessAllowed } from '../bookings/refuse-invalid-change.ts'
import { resolveSlot } from '../bookings/resolve-requested-slot.ts'
import { insertBlock } from '../hours/block-queries.ts'
import { bookingsToCancel } from '../hours/class-session-queries.ts'
import { cancelBookingsOf, closeClass, logCancellation } from '../hours/close-class-session.ts'
import { type Claim, claimsOf } from '../hours/day-schedule-queries.ts'
import { MOST_CLEARED } from '../shared/desk-list-limits.ts'
import type { Absence } from './absence.ts'
import type { ClearTimeContext } from './clear-bookings-for-absence.ts'
import { SlotUnavailableError } from './refuse-with-suggestions.ts'

/** The query reads at most this many claims (reserved times of resources). One absence never has so many claims. */
const MAX_CLAIMS = 100_000

type Decision = NonNullable<ClearTime['input']['bookings']>[number]

interface Cleared {
  canceled: string[]
  blocks: Selectable<Blocks>[]
  remaining: Claim[]
}

/**
 * Cancels or moves the bookings that an absence affects, as the staff decided. The calling code has already locked all
 * bookings and resources. The server blocks the time of the absence before it moves a booking, so that no booking moves
 * to an absent resource.
 */
export async function applyDecisions(
  context: ClearTimeContext,
  away: Absence,
  rows: readonly BookingRow[],
): Promise<Cleared> {
  const { input, db, caller, now } = context
  const rowOf = new Map(rows.map((row) => [row.id, row]))
  const decided = (input.bookings ?? []).flatMap((decision) => {
    const row = rowOf.get(decision.booking_id)
    return row ? { decision, row } : []
  })
  const canceled: string[] = []
  for (const { decision, row } of decided.filter(({ decision }) => decision.action === 'cancel')) {
    refuseUnlessAllowed(row, 'cancel', 'canceled')
    await cancel(db, row, { by: 'business', actor: caller.principal, reason: decision.reason }, now)
    canceled.push(row.id)
  }
  for (const { session_id, action, reason } of input.sessions ?? [])
    if (action === 'cancel') canceled.push(...(await cancelClass(context, session_id, reason, rowOf)))
  const moving = decided.filter(({ decision }) => decision.action === 'move')
  for (const { row } of moving) {
    refuseByStatus('reschedule', row)
    await allocationEnd(db, row)
  }
  const remaining = await claimsOf(db, { resources: away.resources, range: away.range, most: MAX_CLAIMS }, now)
  const blocks = await blockAround(context, away, remaining)
  for (const { decision, row } of moving) await move(context, row, decision)
  return { canceled, blocks, remaining }
}

async function move(context: ClearTimeContext, row: BookingRow, decision: Decision): Promise<void> {
  const { db, caller, now } = context
  const { id, service_id: service, record, starts_at, ends_at, resource_ids: resources } = row
  const current = { start: starts_at.getTime(), end: ends_at.getTime(), location: record.location?.id, resources }
  // The booking window limits how early or late buyers can book. It does not apply to this move, because the absence
  // makes the agreed time impossible.
  const request = { ...decision, override: [...(decision.override ?? []), 'booking_window' as const] }
  try {
    const { slot, overridden } = await resolveSlot(context, { service, party: record.party_size, current }, request)
    await moveBooking(db, row, { slot, hold: undefined, fee: 0, actor: caller.principal, byStaff: { overridden } }, now)
    // Sends the queued SQL statements to the database now, so that a conflict causes an error for this booking and not
    // for a later one.
    await db.flush()
  } catch (error) {
    if (isRefusal(error)) throw new SlotUnavailableError(id, error.message)
    throw error
  }
}

async function blockAround({ input, db, caller, now }: ClearTimeContext, away: Absence, remaining: readonly Claim[]) {
  const blocks: Selectable<Blocks>[] = []
  for (const resource of away.resources) {
    const taken = remaining.filter(({ resource_id }) => resource_id === resource)
    const free = subtracted(
      [away.range],
      taken.map(({ from, to }) => [from, to] as const),
    )
    for (const [from, to] of free) {
      const block = { resource, from, to, reason: input.reason ?? null, actor: caller.principal }
      const row = await insertBlock(db, block, now)
      if (!row)
        throw new BusinessRefusal(
          'slot_unavailable',
          'Another call changed this time first. Request the list again, then decide.',
          '$.start',
        )
      blocks.push(row)
    }
  }
  return blocks
}

/**
 * Cancels a class with all its bookings. If a buyer has joined the class since the server took the locks, the request
 * fails, and the staff can repeat it. The server does not lock the new booking now, because a late lock could cause a
 * deadlock.
 */
async function cancelClass(
  { db, caller, now }: ClearTimeContext,
  id: string,
  reason: string | undefined,
  locked: ReadonlyMap<string, BookingRow>,
): Promise<string[]> {
  const actor = caller.principal
  await closeClass(db, id, now)
  const ids = await bookingsToCancel(db, id, MOST_CLEARED + 1)
  if (!ids.every((one) => locked.has(one)))
    throw new BusinessRefusal('invalid_transition', 'A buyer has just joined a class. Request the list again.')
  const booking_ids = await cancelBookingsOf(db, { session: id, ids, by: { by: 'business', actor, reason } }, now)
  logCancellation(db, { id, booking_ids, actor }, now)
  return booking_ids
}
