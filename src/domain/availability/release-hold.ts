import { zoneOf } from '../../core/business/definition-facts.ts'
import { seatsEnd } from '../../core/ledger/class-session-seats.ts'
import { claimEnd } from '../../core/ledger/resource-claims.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { defineOperation } from '../../protocol/define-operation.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { shape } from '../../protocol/json-schemas.ts'
import type { ReleaseHold } from '../../protocol/types.generated.ts'
import { holdEnd, holdLock, holdStatus, toHold } from './hold-queries.ts'

export const releaseHold = defineOperation<ReleaseHold>({
  id: 'releaseHold',
  rest: 'DELETE /availability/holds/{hold_id}',
  tool: 'usp_availability_release',
  title: 'Release a hold',
  description: 'Releases a held slot at once. A hold that has already ended stays unchanged.',
  capability: 'dev.usp-protocol.services.availability',
  access: 'privileged_scoped',
  effect: 'remove',
  limit: 'holds',
  resource: ({ hold_id }) => ({ kind: 'hold', id: hold_id }),
  input: {
    type: 'object',
    required: ['hold_id'],
    properties: { hold_id: { type: 'string', minLength: 1, description: 'Id of the hold.' } },
  },
  output: { type: 'object', required: ['hold'], properties: { hold: shape('Hold') } },
  summary: ({ hold: { id, status } }) => `Hold ${id} is ${status}.`,
  async handle({ input: { hold_id: id }, caller, db, now, business }) {
    const hold = await holdLock(db, id, caller)
    if (!hold) throw new ProtocolError('not_found', 'You have no such hold.')
    const zone = await zoneOf({ business })
    if (holdStatus(hold, now) !== 'active') {
      if (caller.mechanism === 'booking_scoped_credential') throw ended()
      return { hold: toHold(hold, zone, now) }
    }
    await endHold(db, id, now)
    return { hold: toHold({ ...hold, status: 'released' }, zone, now) }
  },
})

export async function endHold(tx: UnitOfWork, id: string, now: Date): Promise<void> {
  await claimEnd(tx, { kind: 'hold', id })
  await seatsEnd(tx, { kind: 'hold', id })
  await holdEnd(tx, id, { status: 'released', released_at: now })
}

const ended = () =>
  new ProtocolError('authentication_required', 'This credential ended with its hold. Use a mechanism of your platform.')
