import {
  ChangesRefusedError,
  ConcurrencyTimeoutError,
  type Failure,
  failureOf,
  isDiskFull,
} from '../infra/db/failures.ts'
import { ProtocolError } from './errors.ts'

/** Message, and seconds until a retry. A message says that nothing was done only when this is certain. */
const answers: Record<Failure, [string, number?]> = {
  unreachable: ['The server cannot reach its database. Try again shortly.'],
  'read only': ['The database accepts no changes at present. Nothing was done; try again shortly.', 10],
  busy: ['Other calls changed the same data for too long. Nothing was done; try again.', 2],
  conflict: ['Another call changed the same data. Nothing was done; try again.', 1],
}

/** Converts any error to one that a caller may see. The cause goes only to the log. */
export function asProtocolError(error: unknown): ProtocolError {
  if (error instanceof ProtocolError) return error
  if (error instanceof ChangesRefusedError) return unavailable(error.message, 30)
  if (error instanceof ConcurrencyTimeoutError) return unavailable('Other calls are using all capacity. Try again.', 2)
  const failure = isDiskFull(error) ? 'read only' : failureOf(error)
  if (failure) return unavailable(...answers[failure])
  return new ProtocolError('server_error', 'Something went wrong on the server. Nothing of this request was stored.')
}

const unavailable = (message: string, retryAfter?: number) =>
  new ProtocolError('service_unavailable', message, retryAfter === undefined ? {} : { retryAfter })
