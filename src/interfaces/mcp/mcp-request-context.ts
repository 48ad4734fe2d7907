import type { FastifyBaseLogger } from 'fastify'
import type { Assistant } from '../../protocol/caller-types.ts'
import type { Call } from '../../protocol/define-operation.ts'
import type { Protocol } from '../../protocol/deployment-modes.ts'
import type { ProtocolCode } from '../../protocol/errors.ts'

export type McpContext = Pick<Call, 'headers' | 'http' | 'peer' | 'answerHeaders'> & {
  log: FastifyBaseLogger
  /** The protocol (USP or UCP) that defines the error codes of the endpoint. The default is USP. */
  protocol?: Protocol
  /**
   * The AI assistant that makes the call, and the person who authorized it. Undefined if no person has authorized the
   * caller.
   */
  assistant?: Assistant
  principal?: string
  /**
   * The correlation id from `_meta.usp.correlation_id` of the call, shortened. It appears in the log and in the answer,
   * so that the caller can find the call.
   */
  correlationId?: string
  refusal?: ProtocolCode
}
