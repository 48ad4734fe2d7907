import { sessionLock } from '../../../core/ledger/class-sessions.ts'
import { changeInBatchesForCall } from '../../../protocol/change-in-batches.ts'
import { defineOperation } from '../../../protocol/define-operation.ts'
import type { CancelSession } from '../../../protocol/types.generated.ts'
import { atDesk, ids, notFound, reason } from '../shared/operation-defaults.ts'
import { bookingsCanceledWith, bookingsToCancel, isCancellationComplete } from './class-session-queries.ts'
import { currentSession, sessionId, sessionShape } from './class-session-schema.ts'
import { cancelBookingsOf, closeClass, logCancellation, refuseStarted } from './close-class-session.ts'

export const cancelSession = defineOperation<CancelSession>({
  ...atDesk,
  id: 'cancelSession',
  rest: 'POST /business/sessions/{session_id}/cancel',
  tool: 'usp_business_sessions_cancel',
  title: 'Cancel a class',
  description:
    'Cancels a class with all its bookings, at no cost to the buyers: all payments are refunded. Its teacher ' +
    'and its room are free again. If there are too many bookings for one call, the answer says so: call again ' +
    'for the rest.',
  effect: 'remove',
  input: { type: 'object', required: ['session_id'], properties: { session_id: sessionId, reason } },
  output: {
    type: 'object',
    required: ['session', 'booking_ids'],
    properties: {
      session: sessionShape,
      booking_ids: ids('Ids of the canceled bookings.'),
    },
  },
  summary: ({ session, booking_ids: { length } }) =>
    `The class at ${session.start} is canceled, and ${length === 1 ? 'one booking' : `${length} bookings`} with it.`,
  // The server cancels the bookings of the class in many short transactions. One long transaction would make other
  // callers wait.
  async prepare({ input: { session_id: id, reason }, caller, makeChange, now }) {
    await makeChange((tx) => closeClass(tx, id, now))
    const by = { by: 'business', actor: caller.principal, reason } as const
    await changeInBatchesForCall(makeChange, {
      next: (tx, most) => bookingsToCancel(tx, id, most),
      work: (tx, ids) => cancelBookingsOf(tx, { session: id, ids, by }, now),
    })
  },
  async handle(context) {
    const { input, db, caller, now } = context
    const { session_id: id } = input
    const session = await sessionLock(db, id)
    if (!session?.canceled_at) throw notFound('session', id)
    if (await isCancellationComplete(db, id)) return { session: await currentSession(context, id), booking_ids: [] }
    // The staff may have started a booking of this class just before the server closed the class.
    await refuseStarted(db, id)
    const booking_ids = await bookingsCanceledWith(db, id, session.canceled_at)
    logCancellation(db, { id, booking_ids, actor: caller.principal }, now)
    return { session: await currentSession(context, id), booking_ids }
  },
})
