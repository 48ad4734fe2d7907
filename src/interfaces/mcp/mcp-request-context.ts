import type { FastifyBaseLogger } from 'fastify'
import type { Assistant } from '../../protocol/caller-types.ts'
import type { Call } from '../../protocol/define-operation.ts'
import type { Protocol } from '../../protocol/deployment-modes.ts'
import type { ProtocolCode } from '../../protocol/errors.ts'

export type McpContext = Pick<Call, 'headers' | 'http' | 'peer' | 'answerHeaders'> & {
  log: FastifyBaseLogger
  /** The protocol that defines the error codes of the endpoint. The default is USP. */
  protocol?: Protocol
  /**
   * The AI assistant that makes the call, and the person who authorized it. Undefined if no person has authorized the
   * caller.
   */
  assistant?: Assistant
  principal?: string
  /**
   * The id that the caller gave the call (`_meta.usp.correlation_id`), shortened. It connects log lines and answers.
   */
  correlationId?: string
  refusal?: ProtocolCode
}
