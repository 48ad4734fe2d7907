import { deleteExpiredAndCountSeats, sessionLock, sessionResize } from '../../../core/ledger/class-sessions.ts'
import { insertAuditEntry } from '../../../core/records/audit-log.ts'
import { defineOperation } from '../../../protocol/define-operation.ts'
import { BusinessRefusal } from '../../../protocol/errors.ts'
import type { ResizeSession } from '../../../protocol/types.generated.ts'
import { atDesk, notFound } from '../shared/operation-defaults.ts'
import { currentSession, sessionId, sessionOutput } from './class-session-schema.ts'

export const resizeSession = defineOperation<ResizeSession>({
  ...atDesk,
  id: 'resizeSession',
  rest: 'POST /business/sessions/{session_id}/resize',
  tool: 'usp_business_sessions_resize',
  title: 'Resize a class',
  description: 'Changes the number of places of one class, to no fewer than are already taken.',
  effect: 'update',
  input: {
    type: 'object',
    required: ['session_id', 'capacity'],
    properties: {
      session_id: sessionId,
      capacity: { type: 'integer', minimum: 0, maximum: 10_000, description: 'The new number of places.' },
    },
  },
  output: sessionOutput,
  summary: ({ session: { start, capacity, taken } }) =>
    `The class at ${start} is for ${capacity}; ${taken} ${taken === 1 ? 'has' : 'have'} a place.`,
  async handle(context) {
    const { input, db, caller, now } = context
    const { session_id: id, capacity } = input
    const session = await sessionLock(db, id)
    if (!session) throw notFound('session', id)
    if (session.canceled_at) throw new BusinessRefusal('invalid_transition', 'This class is canceled.')
    const taken = await deleteExpiredAndCountSeats(db, id, now)
    if (capacity < taken)
      throw new BusinessRefusal(
        'capacity_exceeded',
        `${taken} places are already taken. Cancel some bookings first.`,
        '$.capacity',
      )
    await sessionResize(db, id, capacity)
    const detail = { from: session.capacity, to: capacity }
    const by = { actor: caller.principal, action: 'resize', subject: `session ${id}`, detail }
    insertAuditEntry(db, { ...by, from: null, to: null }, now)
    return { session: await currentSession(context, id) }
  },
})
