import { zoneOf } from '../../../core/business/definition-facts.ts'
import { type Session, sessionLock } from '../../../core/ledger/class-sessions.ts'
import { deleteExpired } from '../../../core/ledger/end-expired-claims.ts'
import { resourcesLock } from '../../../core/ledger/resource-claims.ts'
import { type ChangeContext, defineOperation } from '../../../protocol/define-operation.ts'
import type { ClearTime } from '../../../protocol/types.generated.ts'
import { planOf, resourcesOf } from '../../availability/service-scheduling-plan.ts'
import type { BookingRow } from '../../bookings/booking-row.ts'
import { waitlistLock } from '../../waitlist/queries.ts'
import { toBlock } from '../hours/block-schema.ts'
import { toTakenBy } from '../hours/refuse-claimed-time.ts'
import { MOST_CLEARED } from '../shared/desk-list-limits.ts'
import { atDesk, notFound } from '../shared/operation-defaults.ts'
import { type Absence, absenceOf } from './absence.ts'
import { bookingsAffected, bookingsLock, classesAffected } from './absence-queries.ts'
import { applyDecisions } from './apply-booking-decisions.ts'
import { clearInput, clearOutput } from './clear-bookings-for-absence-schema.ts'
import { changesSince } from './find-changes-since-listing.ts'
import { refuseWithSuggestions, SlotUnavailableError } from './refuse-with-suggestions.ts'

export type ClearTimeContext = ChangeContext<ClearTime['input']>

export const clearTime = defineOperation<ClearTime>({
  ...atDesk,
  id: 'clearTime',
  rest: 'POST /business/time/clear',
  tool: 'usp_business_time_clear',
  title: 'Clear the bookings in a time',
  description:
    'For a sick day or a closure. Carries out the decision for each booking and class from ' +
    'usp_business_time_affected, notifies everyone, and blocks the rest of the time: all or nothing. Moves are free ' +
    'and may be at short notice. Canceled bookings are refunded. If something changed since the list, or a chosen ' +
    'time is taken, nothing is done; `messages[].changed` has new suggestions. Holds and offers stay: call again ' +
    `after they end. At most ${MOST_CLEARED} bookings: for more, clear a part of the time first, or cancel classes.`,
  effect: 'update',
  mayMiss: true,
  input: clearInput,
  output: clearOutput,
  summary: ({ moved, canceled, kept }) =>
    `${moved.length} moved, ${canceled.length} canceled, ${kept.length} kept; the rest of the time is blocked.`,
  async handle(context) {
    const { input, db, now, business } = context
    const { bookings = [], sessions = [] } = input
    await db.waitForSlot('clearing time')
    const definition = await business.get()
    const zone = await zoneOf(context)
    const away = absenceOf(definition, input)
    const rows = await lockAll(context, away)
    const affected = await bookingsAffected(db, away, now)
    const changed = changesSince(context, { rows, affected, classes: await classesAffected(db, away, now) })
    if (changed.length > 0) throw await refuseWithSuggestions(context, away, { code: 'invalid_transition', changed })
    // The new time of a moved booking may be occupied. If so, `attempt` undoes all changes, so that the search for new
    // suggestions does not see them.
    const done = await db
      .attempt(() => applyDecisions(context, away, rows))
      .catch(async (error: unknown) => {
        if (!(error instanceof SlotUnavailableError)) throw error
        const taken = [{ booking_id: error.booking, why: 'taken' as const }]
        throw await refuseWithSuggestions(context, away, { code: 'slot_unavailable', changed: taken })
      })
    const bookingsTo = (wantedAction: string) =>
      bookings.flatMap(({ booking_id, action }) => (action === wantedAction ? booking_id : []))
    const classesTo = (wantedAction: string) =>
      sessions.flatMap(({ session_id, action }) => (action === wantedAction ? session_id : []))
    return {
      moved: bookingsTo('move'),
      canceled: done.canceled,
      kept: bookingsTo('keep'),
      canceled_sessions: classesTo('cancel'),
      kept_sessions: classesTo('keep'),
      blocks: done.blocks.map((row) => toBlock(row, zone)),
      left: done.remaining.map((claim) => toTakenBy(claim, zone)),
    }
  },
})

/**
 * Locks all rows that the operation may change, before the first change. All transactions lock rows in the same order,
 * which prevents deadlocks. The order is: the waitlist (if classes are canceled), the bookings, the classes and their
 * resources.
 */
async function lockAll({ input, db, business, now }: ClearTimeContext, away: Absence): Promise<BookingRow[]> {
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
  // `deleteExpired` and `resourcesLock` both lock the resources. `deleteExpired` also ends expired waitlist offers that
  // still reserve resources of a canceled class.
  await (ending.length > 0 ? deleteExpired(db, resources, now) : resourcesLock(db, resources))
  return rows
}
