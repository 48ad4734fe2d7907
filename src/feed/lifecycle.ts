import { ProtocolError } from '../protocol/errors.ts'

export type Status = 'active' | 'paused' | 'canceled'
export type Move = 'pause' | 'resume' | 'cancel'

/** What each move makes of each status. Canceled is final. */
const transitions: Record<Move, Record<Status, Status | undefined>> = {
  pause: { active: 'paused', paused: 'paused', canceled: undefined },
  resume: { active: 'active', paused: 'active', canceled: undefined },
  cancel: { active: 'canceled', paused: 'canceled', canceled: 'canceled' },
}

export function next(status: Status, move: Move): Status {
  const after = transitions[move][status]
  if (after === undefined)
    throw new ProtocolError('invalid_transition', 'The subscription is canceled for good. Subscribe again instead.')
  return after
}
