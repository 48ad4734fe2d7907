import type { Caller } from '../../../protocol/caller.ts'
import { BusinessRefusal, ProtocolError } from '../../../protocol/errors.ts'
import type { Registration } from './entry.ts'

/** A registration of another owner gets the same answer as an unknown one. */
export function requireOwn(found: Registration | undefined): Registration {
  if (!found) throw new ProtocolError('registration_not_found', 'You have no such registration.')
  return found
}

/** A caller who may not change a registration may not list its profile either. */
export function refuseOthers({ principal, profile }: Registration, caller: Caller): void {
  if (!caller.identities.includes(principal) || profile !== caller.profile) throw listedByAnother()
}

export const listedByAnother = () =>
  new BusinessRefusal('validation_error', 'A business with this profile is listed already.', '$.profile_url')

/** The registration changed after `prepare` checked it. */
export const changedMeanwhile = () =>
  new ProtocolError('invalid_transition', 'The registration was changed by another call just now. Send this one again.')
