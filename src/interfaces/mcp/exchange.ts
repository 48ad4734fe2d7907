import type { FastifyBaseLogger } from 'fastify'
import type { Assistant } from '../../protocol/caller.ts'
import type { ProtocolCode } from '../../protocol/errors.ts'
import type { Call } from '../../protocol/operation.ts'

/** What a tool call comes in, besides its own message. */
export type Exchange = Pick<Call, 'headers' | 'http' | 'peer' | 'answerHeaders'> & {
  log: FastifyBaseLogger
  /** For whom an assistant speaks, where somebody lets it. */
  assistant?: Assistant
  /** Who was proven to call, once that is known. */
  principal?: string
  /** The code of what it was refused with, where it was. */
  refusal?: ProtocolCode
}
