import { cancel } from '../../bookings/cancel.ts'
import { lockAndExpire } from '../../bookings/change-booking.ts'
import { isOver } from '../../bookings/lifecycle.ts'
import { changeInsert } from '../../journal/journal.ts'
import { seatsLock, sessionCancel, sessionEnd, sessionLock } from '../../ledger/sessions.ts'
import { Outcome } from '../../protocol/errors.ts'
import { type ChangeContext, defineOperation } from '../../protocol/operation.ts'
import type { CancelSession } from '../../protocol/types.generated.ts'
import { expire, lockWaitlist } from '../../waitlist/change-entry.ts'
import { entriesOfClass } from '../../waitlist/queries.ts'
import { atDesk, notFound, reason } from '../shared/operation-parts.ts'
import { sessionId, sessionNow, sessionShape } from './session-parts.ts'
import { sessionBookings } from './session-queries.ts'

export const cancelSession = defineOperation<CancelSession>({
  ...atDesk,
  id: 'cancelSession',
  rest: 'POST /business/sessions/{session_id}/cancel',
  tool: 'usp_business_sessions_cancel',
  title: 'Cancel a class',
  description:
    'Cancels a class and with it every booking of it, at no cost to the buyers: all that they paid goes back. Its teacher ' +
    'and its room are free again.',
  effect: 'remove',
  input: { type: 'object', required: ['session_id'], properties: { session_id: sessionId, reason } },
  output: {
    type: 'object',
    required: ['session', 'booking_ids'],
    properties: {
      session: sessionShape,
      booking_ids: { type: 'array', items: { type: 'string' }, description: 'The bookings that were canceled.' },
    },
  },
  summary: ({ session, booking_ids: { length } }) =>
    `The class at ${session.start} is canceled, and ${length === 1 ? 'one booking' : `${length} bookings`} with it.`,
  async handle(context) {
    const { input, db, caller, now } = context
    const { session_id: id } = input
    await lockWaitlist(db, now)
    const session = await sessionLock(db, id)
    if (!session) throw notFound('session', id)
    if (session.canceled_at) return { session: await sessionNow(context, id), booking_ids: [] }
    if (session.ends_at <= now) throw new Outcome('invalid_transition', 'This class is over.')
    // First of all nobody can join it any more, not even who is offered a place that comes free now.
    await sessionCancel(db, id, now)
    await seatsLock(db, id)
    const booking_ids = await cancelBookings(context, id, input.reason)
    await expire(db, await entriesOfClass(db, session.service_id, session.starts_at, now), now)
    await sessionEnd(db, id)
    const by = { actor: caller.principal, action: 'cancel', subject: `session ${id}`, detail: { booking_ids } }
    changeInsert(db, { ...by, from: 'open', to: 'canceled' }, now)
    return { session: await sessionNow(context, id), booking_ids }
  },
})

async function cancelBookings({ db, caller, now }: ChangeContext, session: string, reason: string | undefined) {
  const by = { by: 'business', actor: caller.principal, reason } as const
  const canceled: string[] = []
  for (const id of await sessionBookings(db, session)) {
    const booking = await lockAndExpire(db, id, undefined, now)
    // Until it was locked it may have moved to another class, or ended.
    if (!booking || booking.session_id !== session || isOver(booking.status)) continue
    await cancel(db, booking, by, now)
    canceled.push(id)
  }
  return canceled
}
