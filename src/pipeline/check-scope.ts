import { concernsBuyer } from '../core/authentication/principals.ts'
import { ProtocolError } from '../protocol/errors.ts'
import type { Call } from '../protocol/operation.ts'

/**
 * Refuses a call that the buyer did not allow. The refusal does not count as a failed authentication, because the token
 * is genuine.
 */
export function checkScope({ operation, caller }: Call): void {
  if (!caller?.link || !concernsBuyer(operation) || caller.link.scopes.includes('usp:booking')) return
  throw new ProtocolError('authentication_required', 'The buyer did not allow this platform to book (usp:booking).', {
    headers: { 'www-authenticate': 'Bearer error="insufficient_scope", scope="usp:booking"' },
  })
}
