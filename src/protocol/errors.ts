import {
  ChangesRefusedError,
  ConcurrencyTimeoutError,
  type Failure,
  failureOf,
  isDiskFull,
} from '../infra/db/database-failures.ts'

/**
 * The title of a business refusal, and whether the buyer can resolve it. REST and MCP send the refusal with HTTP status
 * 200 in the list `messages`.
 */
interface OutcomeEntry {
  title: string
  severity: 'recoverable' | 'requires_buyer_input' | 'requires_buyer_review' | 'unrecoverable'
}

/** The title of a protocol error, with its HTTP status and its JSON-RPC code. */
interface ProtocolEntry {
  title: string
  http: number
  rpc: number
  /**
   * Marks errors that the HTTP status describes fully. The error answer (Problem Details) then has the type
   * `about:blank`.
   */
  isPlainHttp?: true
}

/** The codes of business refusals. Each error code is either in this table or in `protocolErrors`, never in both. */
const outcomes = {
  slot_unavailable: { title: 'Slot unavailable', severity: 'recoverable' },
  hold_expired: { title: 'Hold expired', severity: 'recoverable' },
  booking_window_violated: { title: 'Outside the booking window', severity: 'requires_buyer_input' },
  capacity_exceeded: { title: 'Not enough capacity', severity: 'recoverable' },
  invalid_transition: { title: 'Invalid transition', severity: 'unrecoverable' },
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
  capabilities_incompatible: { title: 'No capability in common', severity: 'unrecoverable' },
} as const satisfies Record<string, OutcomeEntry>

const protocolErrors = {
  invalid_request: { title: 'Invalid request', http: 400, rpc: -32600 },
  validation_error: { title: 'Validation error', http: 422, rpc: -32602 },
  booking_not_found: { title: 'Booking not found', http: 404, rpc: -32602 },
  entry_not_found: { title: 'Waitlist entry not found', http: 404, rpc: -32602 },
  service_not_found: { title: 'Service not found', http: 404, rpc: -32602 },
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
  payment_unverifiable: { title: 'Payment unverifiable', http: 409, rpc: -32002 },
  confirmation_failed: { title: 'Confirmation failed', http: 409, rpc: -32002 },
  idempotency_conflict: { title: 'Idempotency conflict', http: 409, rpc: -32602 },
  cursor_expired: { title: 'Cursor expired', http: 400, rpc: -32602 },
  range_too_wide: { title: 'Range too wide', http: 400, rpc: -32602 },
  server_error: { title: 'Server error', http: 500, rpc: -32603 },

  subscription_not_found: { title: 'Not Found', http: 404, rpc: -32602, isPlainHttp: true },
  registration_not_found: { title: 'Not Found', http: 404, rpc: -32602, isPlainHttp: true },
  not_found: { title: 'Not Found', http: 404, rpc: -32602, isPlainHttp: true },
  method_not_allowed: { title: 'Method Not Allowed', http: 405, rpc: -32600, isPlainHttp: true },
  content_too_large: { title: 'Content Too Large', http: 413, rpc: -32600, isPlainHttp: true },
  unsupported_media_type: { title: 'Unsupported Media Type', http: 415, rpc: -32600, isPlainHttp: true },
} as const satisfies Record<string, ProtocolEntry>

export const errors = { ...outcomes, ...protocolErrors }

export type BusinessRefusalCode = keyof typeof outcomes
export type ProtocolCode = keyof typeof protocolErrors

export const refusalCodes = Object.keys(outcomes) as BusinessRefusalCode[]
export const protocolCodes = Object.keys(protocolErrors) as ProtocolCode[]

/**
 * Returns the property `type` of an error answer (Problem Details). The type is a URL only if the protocol defines the
 * error code.
 */
export const problemType = (code: ProtocolCode): string => {
  const entry: ProtocolEntry = protocolErrors[code]
  return entry.isPlainHttp ? 'about:blank' : `https://usp-protocol.dev/errors/${code.replaceAll('_', '-')}`
}

export interface Fault {
  field: string
  message: string
}

interface Details {
  errors?: Fault[]
  /** The caller may repeat the call after this number of seconds. */
  retryAfter?: number
  mechanism?: string
  /**
   * Whether the credential was valid earlier and has ended. Such a call does not count as an attempt to guess a
   * credential.
   */
  ended?: boolean
  nonce?: string
  headers?: Record<string, string>
  /** Messages that name the latest protocol version of this server. Only the error `version_unsupported` has them. */
  messages?: object[]
}

/**
 * The error for a call that the server cannot process. REST answers with Problem Details. MCP answers with a JSON-RPC
 * error.
 */
export class ProtocolError extends Error {
  readonly code: ProtocolCode
  readonly details: Details

  constructor(code: ProtocolCode, message: string, details: Details = {}) {
    super(message)
    this.code = code
    this.details = details
  }
}

/**
 * The error for a call that the server understood and the business refuses. REST and MCP answer HTTP 200 with the list
 * `messages`.
 */
export class BusinessRefusal extends Error {
  readonly code: BusinessRefusalCode
  readonly path: string | undefined
  /** Additional JSON properties of the refusal message, besides its code and its text. */
  readonly more: object

  constructor(code: BusinessRefusalCode, message: string, path?: string, more: object = {}) {
    super(message)
    this.code = code
    this.path = path
    this.more = more
  }
}

/** The error for an invalid value in the request. `path` is the JSONPath of the value, such as `$.buyer.email`. */
export const invalidInput = (message: string, path: string): ProtocolError =>
  new ProtocolError('validation_error', message, faultAt(path, message))

function faultAt(path: string | undefined, message: string): Details {
  if (path === undefined) return {}
  return { errors: [{ field: path.replace(/^\$\.?/, '').replace(/\[(\d+)\]/g, '.$1'), message }] }
}

const REFUSALS_OF_INPUT: readonly ProtocolCode[] = ['validation_error', 'booking_not_found', 'entry_not_found']

/** Whether invalid values in the request caused the error. A page can then show the error next to its form. */
export const isAboutInput = (error: unknown): error is ProtocolError =>
  error instanceof ProtocolError && REFUSALS_OF_INPUT.includes(error.code)

/** A refusal that a person can resolve, for example with another time or a corrected input. */
export type Refusal = BusinessRefusal | ProtocolError

export const isRefusal = (error: unknown): error is Refusal => error instanceof BusinessRefusal || isAboutInput(error)

/** Returns the JSONPath of the request property that caused the refusal. */
export function pathOf(refusal: Refusal): string | undefined {
  if (refusal instanceof BusinessRefusal) return refusal.path
  const [fault] = refusal.details.errors ?? []
  return fault && (fault.field ? `$.${fault.field}` : '$')
}

export const reworded = (refusal: Refusal, message: string, path = pathOf(refusal)): Refusal =>
  refusal instanceof BusinessRefusal
    ? new BusinessRefusal(refusal.code, message, path, refusal.more)
    : new ProtocolError(refusal.code, message, faultAt(path, message))

/**
 * For each kind of database failure: the message for the caller, and the seconds until a retry. The message says
 * "Nothing was done" only if PostgreSQL certainly made no change.
 */
const answers: Record<Failure, [string, number?]> = {
  unreachable: ['The server cannot reach its database. Try again shortly.'],
  'read only': ['The database accepts no changes at present. Nothing was done; try again shortly.', 10],
  busy: ['Other calls changed the same data for too long. Nothing was done; try again.', 2],
  conflict: ['Another call changed the same data. Nothing was done; try again.', 1],
}

/** Converts any error to an error that a caller may see. Internal causes appear only in the log. */
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
