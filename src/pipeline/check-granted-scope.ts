import { concernsBuyer } from '../core/authentication/principals.ts'
import type { Call } from '../protocol/define-operation.ts'
import { ProtocolError } from '../protocol/errors.ts'

/**
 * Refuses a call if the buyer has not allowed the platform to book (OAuth scope `usp:booking`). The refusal does not
 * count as a failed authentication, because the access token itself is valid.
 */
export function checkScope({ operation, caller }: Call): void {
  if (!caller?.link || !concernsBuyer(operation) || caller.link.scopes.includes('usp:booking')) return
  throw new ProtocolError('authentication_required', 'The buyer did not allow this platform to book (usp:booking).', {
    headers: { 'www-authenticate': 'Bearer error="insufficient_scope", scope="usp:booking"' },
  })
}
