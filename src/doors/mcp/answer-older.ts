import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  type Server,
  SUPPORTED_PROTOCOL_VERSIONS,
  type Transport,
} from '@modelcontextprotocol/server'
import { malformed } from './mcp-message.ts'

/** What one message comes to; without text where it asked for no answer. */
export interface Answered {
  status: number
  headers: Record<string, string>
  text: string
}

/** The revision that a message says it is of, and whether it begins a conversation, where that is yet to be agreed on. */
interface Spoken {
  revision: string | undefined
  isFirst: boolean
}

/**
 * Answers one message of a revision before 2026-07-28. The SDK's own transport is made for sessions, streams and batches, of which
 * there are none here; what it does for them took as long as half of a tool's work.
 */
export async function answerOlder(serve: () => Server, message: unknown, spoken: Spoken): Promise<Answered> {
  const { revision, isFirst } = spoken
  if (revision !== undefined && !isFirst && !SUPPORTED_PROTOCOL_VERSIONS.includes(revision))
    throw malformed(400, null, -32000, `There is no revision ${JSON.stringify(revision.slice(0, LONGEST))} here.`)
  // Nothing was asked of anybody who answers, and nothing goes on that could be told of.
  if (!isJSONRPCRequest(message)) return { status: 202, headers: {}, text: '' }
  const transport = new OneAnswer()
  await serve().connect(transport)
  transport.onmessage?.(message)
  const text = JSON.stringify(await transport.answer)
  return { status: 200, headers: { 'content-type': 'application/json' }, text }
}

const LONGEST = 100

class OneAnswer implements Transport {
  readonly #answered = Promise.withResolvers<JSONRPCMessage>()
  readonly answer = this.#answered.promise
  onmessage?: NonNullable<Transport['onmessage']>

  async start() {}

  /** What a server tells besides has nobody who listens. */
  async send(message: JSONRPCMessage) {
    if (!('method' in message)) this.#answered.resolve(message)
  }

  async close() {}
}
