import { resourcesLock } from '../../../core/ledger/claims.ts'
import { deleteExpired } from '../../../core/ledger/released-capacity.ts'
import { type Session, sessionLock } from '../../../core/ledger/sessions.ts'
import { planOf, resourcesOf } from '../../availability/plan.ts'
import type { BookingRow } from '../../bookings/booking-row.ts'
import { waitlistLock } from '../../waitlist/queries.ts'
import { notFound } from '../shared/operation-parts.ts'
import type { Absence } from './absence.ts'
import { bookingsLock } from './away-queries.ts'
import type { ClearTimeContext } from './clear-time.ts'

/**
 * Locks everything that the unit of work may need, before it changes anything.
 * The order is the same everywhere: the waitlist if classes end, bookings, classes, then all resources that they use or
 * may use.
 */
export async function lockAll({ input, db, business, now }: ClearTimeContext, away: Absence): Promise<BookingRow[]> {
  const { bookings = [], sessions = [] } = input
  const ending = sessions.flatMap(({ session_id, action }) => (action === 'cancel' ? session_id : [])).toSorted()
  if (ending.length > 0) await waitlistLock(db)
  const ids = bookings.map(({ booking_id }) => booking_id)
  const rows = await bookingsLock(db, ids, ending)
  const classes: Session[] = []
  for (const id of ending) {
    const session = await sessionLock(db, id)
    if (!session) throw notFound('session', id)
    classes.push(session)
  }
  const definition = await business.get()
  const plans = rows.flatMap(({ service_id }) => planOf(definition, service_id) ?? [])
  const resources = [
    ...away.resources,
    ...[...rows, ...classes].flatMap(({ resource_ids }) => resource_ids),
    ...plans.flatMap(resourcesOf),
  ]
  // Also ends lapsed offers of these resources, which a canceled class releases.
  await (ending.length > 0 ? deleteExpired(db, resources, now) : resourcesLock(db, resources))
  return rows
}
