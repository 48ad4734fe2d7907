import type { ProblemDetails } from '../../src/protocol/types.generated.ts'

interface Details {
  errors?: ProblemDetails['errors'] | undefined
  retryAfter?: number | undefined
  nonce?: string | undefined
}

/** After these codes the booking is not confirmed, and the business keeps no payment. */
const TO_REVERSE = ['payment_unverifiable', 'confirmation_failed']

/**
 * The business could not process the call, for example because of faulty input, an unknown id or a missing credential.
 * A business refusal is not an error: the answer then has its reasons in `messages`.
 */
export class UspError extends Error {
  readonly code: string
  /** The HTTP status on REST, or the JSON-RPC error code on MCP. */
  readonly status: number
  readonly errors: NonNullable<ProblemDetails['errors']>
  readonly retryAfter: number | undefined
  /** The platform must reverse the payment that it reported. The booking is not confirmed, and a retry does not help. */
  readonly reversePayment: boolean
  /** The business requires this nonce in the next proof. */
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

/** The business sent no answer, or only a part of an answer. */
export class UnreachableError extends Error {
  constructor(address: string, cause: unknown) {
    super(`${new URL(address).origin} did not answer`, { cause })
    this.name = 'Unreachable'
  }
}
