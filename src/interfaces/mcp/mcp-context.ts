import type { FastifyBaseLogger } from 'fastify'
import type { Assistant } from '../../protocol/caller.ts'
import type { ProtocolCode } from '../../protocol/errors.ts'
import type { Call } from '../../protocol/operation.ts'

export type McpContext = Pick<Call, 'headers' | 'http' | 'peer' | 'answerHeaders'> & {
  log: FastifyBaseLogger
  /** The assistant and the person for whom it acts, if a person has authorized an assistant. */
  assistant?: Assistant
  principal?: string
  /** `_meta.usp.correlation_id` of the call, shortened. */
  correlationId?: string
  refusal?: ProtocolCode
}
