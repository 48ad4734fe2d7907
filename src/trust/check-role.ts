import { ProtocolError } from '../protocol/errors.ts'
import type { Call } from '../protocol/operation.ts'

/** Viewers see everything and change nothing. Their token is genuine, so this is no failed attempt to get in. */
export function checkRole({ operation, caller }: Call): void {
  if (caller?.role !== 'viewer' || operation.effect === 'read') return
  throw new ProtocolError(
    'authentication_required',
    'A viewer may look at everything and change nothing. Ask the owner for another role.',
    { headers: { 'www-authenticate': 'Bearer error="insufficient_scope"' } },
  )
}
