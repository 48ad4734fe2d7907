import type { ProblemDetails } from '../../src/protocol/types.generated.ts'

interface Details {
  errors?: ProblemDetails['errors'] | undefined
  retryAfter?: number | undefined
  nonce?: string | undefined
}

/** If an error has one of these codes, the booking is not confirmed, and the business keeps no payment. */
const TO_REVERSE = ['payment_unverifiable', 'confirmation_failed']

/**
 * The error for a call that the business could not process, for example because of wrong input or an unknown id. A
 * refusal by the business is not an error: the answer then gives the reasons in `messages`.
 */
export class UspError extends Error {
  readonly code: string
  /** The HTTP status of the error if the call used REST, or its JSON-RPC code if the call used MCP. */
  readonly status: number
  readonly errors: NonNullable<ProblemDetails['errors']>
  readonly retryAfter: number | undefined
  /**
   * Whether the platform must return the buyer's payment, because the booking is not confirmed and a retry would fail
   * too.
   */
  readonly reversePayment: boolean
  /** The nonce that the business requires in the platform's next proof. Undefined if the business sent none. */
  readonly nonce: string | undefined

  constructor(code: string, status: number, message: string, { errors = [], retryAfter, nonce }: Details = {}) {
    super(message)
    this.name = 'UspError'
    this.code = code
    this.status = status
    this.errors = errors
    this.retryAfter = retryAfter
    this.reversePayment = TO_REVERSE.includes(code)
    this.nonce = nonce
  }
}

/** The error for a call that got no answer from the business, or only a part of an answer. */
export class UnreachableError extends Error {
  constructor(address: string, cause: unknown) {
    super(`${new URL(address).origin} did not answer`, { cause })
    this.name = 'UnreachableError'
  }
}
