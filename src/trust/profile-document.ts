import { ProtocolError } from '../protocol/errors.ts'
import { EgressError, type EgressResponse } from './egress.ts'

/** The document in an answer that should be the profile of somebody, such as `The platform profile`. */
export function profileDocument({ status, body }: EgressResponse, whose: string): unknown {
  if (status < 200 || status > 299)
    throw new ProtocolError(
      'profile_unreachable',
      `${whose} was answered with status ${status}. Redirects are not followed.`,
    )
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    throw new ProtocolError('profile_malformed', `${whose} is not JSON.`)
  }
}

/** Why a profile could not be had, in the words of the protocol. */
export function profileFailure(cause: unknown, whose: string): ProtocolError {
  if (cause instanceof ProtocolError) return cause
  if (!(cause instanceof EgressError)) throw cause
  if (cause.reason === 'forbidden')
    return new ProtocolError('invalid_profile_url', `${whose} address ${cause.message}.`)
  if (cause.reason === 'oversized') return new ProtocolError('profile_malformed', `${whose} ${cause.message}.`)
  return new ProtocolError('profile_unreachable', `${whose} ${cause.message}.`)
}
