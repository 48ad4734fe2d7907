import { isDeadlock, isUnreachable } from '../db/database.ts'
import { ProtocolError } from './errors.ts'

/** Whatever was thrown, as an error fit for a caller. The cause itself belongs into the log alone. */
export function asProtocolError(error: unknown): ProtocolError {
  if (error instanceof ProtocolError) return error
  if (isUnreachable(error))
    return new ProtocolError('service_unavailable', 'The server cannot reach its database. Try again shortly.')
  if (isDeadlock(error))
    return new ProtocolError('service_unavailable', 'Others were at the same thing. Nothing was done; try again.', {
      retryAfter: 1,
    })
  return new ProtocolError('server_error', 'Something went wrong on our side. Nothing of this request was kept.')
}
