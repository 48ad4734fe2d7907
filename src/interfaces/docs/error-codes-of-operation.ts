import { asRecord } from '../../infra/util/object-members.ts'
import { isOptional } from '../../protocol/capabilities.ts'
import { type Access, type Operation, restRouteOf } from '../../protocol/define-operation.ts'
import { type ProtocolCode, protocolCodes } from '../../protocol/errors.ts'

/** The errors that the pipeline and the HTTP server can give to a call of any operation. */
const ofEveryCall: readonly ProtocolCode[] = [
  'invalid_request',
  'validation_error',
  'invalid_profile_url',
  'profile_unreachable',
  'profile_malformed',
  'profile_not_trusted',
  'version_unsupported',
  'digest_mismatch',
  'rate_limited',
  'server_error',
  'service_unavailable',
]

const ofPlatforms: readonly ProtocolCode[] = [
  'authentication_required',
  'signature_missing',
  'signature_invalid',
  'signature_expired',
  'key_not_found',
  'algorithm_unsupported',
  'pop_proof_missing',
  'pop_proof_invalid',
  'pop_key_mismatch',
  'pop_proof_replayed',
  'proof_nonce_required',
]

const ofAccess: Record<Access, readonly ProtocolCode[]> = {
  public: [],
  privileged_platform: ofPlatforms,
  privileged_scoped: ofPlatforms,
  business_only: ['authentication_required'],
}

/** The errors for an unknown id in the path, by the name of the path parameter. Other names have `not_found`. */
const ofPathParameter: Partial<Record<string, ProtocolCode>> = {
  service_id: 'service_not_found',
  booking_id: 'booking_not_found',
  entry_id: 'entry_not_found',
  subscription_id: 'subscription_not_found',
  id: 'registration_not_found',
}

/** The errors that only the named operations can give. */
const ofOperation: Partial<Record<string, readonly ProtocolCode[]>> = {
  queryAvailability: ['range_too_wide'],
  explainAvailability: ['range_too_wide'],
  holdSlot: ['hold_limit_exceeded'],
  confirmPayment: ['payment_unverifiable', 'confirmation_failed'],
  listBusinessBookings: ['range_too_wide'],
  listSessions: ['range_too_wide'],
  getBusinessReports: ['range_too_wide'],
  getTakings: ['range_too_wide'],
  tellAgainOfBusinessBooking: ['not_found'],
}

/**
 * Returns the codes of all protocol errors that an operation can give, in the order of the table. The API document
 * lists them, and the tests compare each answer with this list.
 */
export function errorCodesOf(operation: Operation): ProtocolCode[] {
  const { access, effect, mayMiss, id } = operation
  const { method, parameters } = restRouteOf(operation)
  const given = new Set<ProtocolCode>([
    ...ofEveryCall,
    ...ofAccess[access],
    ...parameters.map((name) => ofPathParameter[name] ?? 'not_found'),
    ...(ofOperation[id] ?? []),
  ])
  if (mayMiss || isOptional(operation)) given.add('not_found')
  if (effect !== 'read') given.add('idempotency_conflict')
  if (isConditional(operation)) given.add('revision_mismatch')
  if (takesCursor(operation)) given.add('cursor_expired')
  if (method !== 'GET') given.add('content_too_large').add('unsupported_media_type')
  return protocolCodes.filter((code) => given.has(code))
}

/**
 * Whether callers of the operation can send the header `If-Match`. Only bookings and waitlist entries have a revision
 * that the server can compare with this header.
 */
export const isConditional = ({ effect, rest }: Operation): boolean =>
  effect !== 'read' && /\{(booking|entry)_id\}/.test(rest)

const takesCursor = ({ input: { properties } }: Operation): boolean =>
  'cursor' in properties || 'cursor' in asRecord(properties.pagination?.properties)
