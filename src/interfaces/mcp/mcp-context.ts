import type { FastifyBaseLogger } from 'fastify'
import type { Assistant } from '../../protocol/caller.ts'
import type { ProtocolCode } from '../../protocol/errors.ts'
import type { Call } from '../../protocol/operation.ts'

export type McpContext = Pick<Call, 'headers' | 'http' | 'peer' | 'answerHeaders'> & {
  log: FastifyBaseLogger
  /** The assistant and the person it acts for, when a person has authorized it. */
  assistant?: Assistant
  principal?: string
  /** `_meta.usp.correlation_id` of the call, shortened. */
  correlationId?: string
  refusal?: ProtocolCode
}
