import {
  ChangesRefusedError,
  ConcurrencyTimeoutError,
  type Failure,
  failureOf,
  isDiskFull,
} from '../infra/db/failures.ts'

/** The protocol's error codes. A code with `severity` is a business refusal, a code with `http` a protocol error. */
interface Entry {
  title: string
  http?: number
  rpc?: number
  severity?: 'recoverable' | 'requires_buyer_input' | 'requires_buyer_review'
}

export const errors = {
  slot_unavailable: { title: 'Slot unavailable', severity: 'recoverable' },
  hold_expired: { title: 'Hold expired', severity: 'recoverable' },
  hold_not_found: { title: 'Hold not found', severity: 'recoverable' },
  booking_not_found: { title: 'Booking not found', severity: 'recoverable' },
  booking_window_violated: { title: 'Outside the booking window', severity: 'requires_buyer_input' },
  capacity_exceeded: { title: 'Not enough capacity', severity: 'recoverable' },
  reschedule_not_allowed: { title: 'Reschedule not allowed', severity: 'requires_buyer_review' },
  reschedule_limit_reached: { title: 'Reschedule limit reached', severity: 'requires_buyer_review' },
  cancellation_not_allowed: { title: 'Cancellation not allowed', severity: 'requires_buyer_review' },
  payment_required: { title: 'Payment required', severity: 'requires_buyer_input' },
  payment_expired: { title: 'Payment expired', severity: 'recoverable' },
  payment_amount_mismatch: { title: 'Payment amount mismatch', severity: 'requires_buyer_input' },
  payment_not_received: { title: 'Payment not received', severity: 'requires_buyer_input' },
  actions_pending: { title: 'Actions pending', severity: 'requires_buyer_input' },
  price_mismatch: { title: 'Price mismatch', severity: 'recoverable' },
  waitlist_full: { title: 'Waitlist full', severity: 'recoverable' },
  offer_expired: { title: 'Offer expired', severity: 'recoverable' },
  offer_already_accepted: { title: 'Offer already accepted', severity: 'recoverable' },
  entry_not_found: { title: 'Waitlist entry not found', severity: 'recoverable' },
  capabilities_incompatible: { title: 'No capability in common', severity: 'recoverable' },

  validation_error: { title: 'Validation error', http: 422, rpc: -32600, severity: 'requires_buyer_input' },
  service_not_found: { title: 'Service not found', http: 404, rpc: -32600, severity: 'recoverable' },
  invalid_transition: { title: 'Invalid transition', http: 409, rpc: -32600, severity: 'recoverable' },

  invalid_request: { title: 'Invalid request', http: 400, rpc: -32600 },
  invalid_profile_url: { title: 'Invalid profile URL', http: 400, rpc: -32602 },
  profile_unreachable: { title: 'Profile unreachable', http: 424, rpc: -32003 },
  profile_malformed: { title: 'Profile malformed', http: 422, rpc: -32004 },
  profile_not_trusted: { title: 'Profile not trusted', http: 403, rpc: -32005 },
  authentication_required: { title: 'Authentication required', http: 401, rpc: -32006 },
  signature_missing: { title: 'Signature missing', http: 401, rpc: -32006 },
  signature_invalid: { title: 'Signature invalid', http: 401, rpc: -32006 },
  signature_expired: { title: 'Signature expired', http: 401, rpc: -32006 },
  key_not_found: { title: 'Key not found', http: 401, rpc: -32006 },
  digest_mismatch: { title: 'Digest mismatch', http: 400, rpc: -32600 },
  algorithm_unsupported: { title: 'Algorithm unsupported', http: 400, rpc: -32600 },
  pop_proof_required: { title: 'Proof required', http: 401, rpc: -32001 },
  pop_proof_missing: { title: 'Proof missing', http: 401, rpc: -32001 },
  pop_proof_invalid: { title: 'Proof invalid', http: 401, rpc: -32001 },
  pop_key_mismatch: { title: 'Proof made with another key', http: 401, rpc: -32001 },
  pop_proof_replayed: { title: 'Proof replayed', http: 401, rpc: -32001 },
  proof_nonce_required: { title: 'Proof nonce required', http: 401, rpc: -32001 },
  rate_limited: { title: 'Rate limited', http: 429, rpc: -32007 },
  hold_limit_exceeded: { title: 'Hold limit exceeded', http: 429, rpc: -32007 },
  version_unsupported: { title: 'Version unsupported', http: 400, rpc: -32008 },
  service_unavailable: { title: 'Service unavailable', http: 503, rpc: -32009 },
  revision_mismatch: { title: 'Revision mismatch', http: 412, rpc: -32002 },
  idempotency_conflict: { title: 'Idempotency conflict', http: 409, rpc: -32600 },
  cursor_expired: { title: 'Cursor expired', http: 422, rpc: -32600 },
  range_too_wide: { title: 'Range too wide', http: 422, rpc: -32600 },
  subscription_not_found: { title: 'Subscription not found', http: 404, rpc: -32600 },
  registration_not_found: { title: 'Registration not found', http: 404, rpc: -32600 },
  server_error: { title: 'Server error', http: 500, rpc: -32603 },

  not_found: { title: 'Not found', http: 404, rpc: -32600 },
  method_not_allowed: { title: 'Method not allowed', http: 405, rpc: -32600 },
  content_too_large: { title: 'Content too large', http: 413, rpc: -32600 },
  unsupported_media_type: { title: 'Unsupported media type', http: 415, rpc: -32600 },
} as const satisfies Record<string, Entry>

type Codes = typeof errors
export type BusinessRefusalCode = { [C in keyof Codes]: Codes[C] extends { severity: string } ? C : never }[keyof Codes]
export type ProtocolCode = { [C in keyof Codes]: Codes[C] extends { http: number } ? C : never }[keyof Codes]

export interface Fault {
  field: string
  message: string
}

interface Details {
  errors?: Fault[]
  /** Seconds until the same call may succeed. */
  retryAfter?: number
  mechanism?: string
  /** The credential was valid once. Using it is not counted as guessing. */
  ended?: boolean
  nonce?: string
  headers?: Record<string, string>
  /** An extension of version_unsupported: the versions that this server supports. */
  messages?: object[]
}

/** The request could not be processed: Problem Details on REST, a JSON-RPC error on MCP. */
export class ProtocolError extends Error {
  readonly code: ProtocolCode
  readonly details: Details

  constructor(code: ProtocolCode, message: string, details: Details = {}) {
    super(message)
    this.code = code
    this.details = details
  }
}

/** The request was understood and the business refuses it: HTTP 200 with `messages[]` on both bindings. */
export class BusinessRefusal extends Error {
  readonly code: BusinessRefusalCode
  readonly path: string | undefined
  /** Extension members of the message. */
  readonly more: object

  constructor(code: BusinessRefusalCode, message: string, path?: string, more: object = {}) {
    super(message)
    this.code = code
    this.path = path
    this.more = more
  }
}

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
