import { ProtocolError } from '../../protocol/errors.ts'
import { type Bounds, readJson, UnreadableDocumentError } from '../../protocol/parse-json-safely.ts'
import { EgressError, type EgressResponse } from '../egress/call-external-url.ts'

/**
 * The maximum size of a platform profile. Other hosts choose the size, and the server validates the whole document.
 * Without these limits, the validation could take any amount of time.
 */
export const PROFILE_BOUNDS: Bounds = { deepest: 32, mostValues: 10_000, longestText: 256 * 1024 }

/** Parses a fetched JSON document. Error messages contain `documentName`, for example `The platform profile`. */
export function profileDocument({ status, body }: EgressResponse, documentName: string): unknown {
  if (status < 200 || status > 299)
    throw new ProtocolError(
      'profile_unreachable',
      `${documentName} was answered with status ${status}. Redirects are not followed.`,
    )
  try {
    return readJson(body, PROFILE_BOUNDS)
  } catch (error) {
    throw error instanceof UnreadableDocumentError
      ? new ProtocolError('profile_malformed', `${documentName} ${error.message}.`)
      : error
  }
}

export function profileFailure(cause: unknown, documentName: string): ProtocolError {
  if (cause instanceof ProtocolError) return cause
  if (!(cause instanceof EgressError)) throw cause
  if (cause.reason === 'forbidden')
    return new ProtocolError('invalid_profile_url', `${documentName} address ${cause.message}.`)
  if (cause.reason === 'oversized') return new ProtocolError('profile_malformed', `${documentName} ${cause.message}.`)
  return new ProtocolError('profile_unreachable', `${documentName} ${cause.message}.`)
}
