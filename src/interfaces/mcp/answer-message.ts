import {
  classifyInboundRequest,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type MessageClassification,
  PerRequestHTTPServerTransport,
  type Server,
  SUPPORTED_PROTOCOL_VERSIONS,
  UnsupportedProtocolVersionError,
} from '@modelcontextprotocol/server'
import { recordOf } from '../../infra/util/record-of.ts'
import type { Exchange } from './exchange.ts'
import { malformed, refused } from './mcp-message.ts'
import { checkRepeated, saidIn } from './repeated.ts'
import { NEWEST } from './serve-tools.ts'

/** What one message comes to; without text where it asked for no answer. */
interface Answered {
  status: number
  text: string
}

/**
 * Answers one message in the revision that it is written in, of which the SDK's word is taken. The SDK's own transports are made for
 * sessions, streams and batches, of which there are none here; what they do for them took as long as half of a tool's work.
 */
export async function answerMessage(
  serve: () => Server,
  message: unknown,
  { headers }: Pick<Exchange, 'headers'>,
): Promise<Answered> {
  const { request, classification } = isPlainlyOlder(message, headers)
    ? { request: message, classification: OLDER }
    : classified(message, headers)
  // Nothing was asked of anybody who answers, and nothing goes on that could be told of.
  if (!request) return { status: 202, text: '' }
  const transport = new OneAnswer({ classification })
  await serve().connect(transport)
  transport.onmessage?.(request, { classification })
  const answer = await transport.answer
  // The newer revision tells of an unknown method by HTTP as well.
  const isUnknown = 'error' in answer && answer.error.code === UNKNOWN_METHOD && classification.era === 'modern'
  return { status: isUnknown ? 404 : 200, text: JSON.stringify(answer) }
}

const UNKNOWN_METHOD = -32601
const LONGEST = 100

const OLDER: MessageClassification = { era: 'legacy' }

/** A call that says nothing of its revision: the SDK would first hold it for two kinds of answer, which takes it long to give up. */
function isPlainlyOlder(message: unknown, headers: Exchange['headers']): message is JSONRPCRequest {
  const { method, params } = recordOf(message)
  const revision = saidIn(headers).protocolVersionHeader
  const isKnown = revision === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(revision)
  return isKnown && method === 'tools/call' && recordOf(params)._meta === undefined && isJSONRPCRequest(message)
}

interface Classified {
  /** Where it asks for an answer. */
  request: JSONRPCRequest | undefined
  classification: MessageClassification
}

/** The revision of a message, which it says of itself, in a header, or, before there were any, by beginning. */
function classified(message: unknown, headers: Exchange['headers']): Classified {
  const { id = null } = recordOf(message)
  const said = saidIn(headers)
  const kind = classifyInboundRequest({ httpMethod: 'POST', body: message, ...said })
  if (kind.kind === 'reject') throw refused(kind.httpStatus, id, kind)
  const revision = said.protocolVersionHeader
  if (kind.kind === 'legacy') {
    if (revision !== undefined && kind.reason !== 'initialize' && !SUPPORTED_PROTOCOL_VERSIONS.includes(revision))
      throw malformed(400, null, -32000, `There is no revision ${JSON.stringify(revision.slice(0, LONGEST))} here.`)
    return { request: isJSONRPCRequest(message) ? message : undefined, classification: OLDER }
  }
  const { classification } = kind
  const { revision: requested = '' } = classification
  if (requested !== NEWEST)
    throw refused(400, id, new UnsupportedProtocolVersionError({ supported: [NEWEST], requested }))
  if (kind.messageKind !== 'request') return { request: undefined, classification }
  checkRepeated(kind.message, said)
  return { request: kind.message, classification }
}

/** By what it is told, and by this kind of transport alone, the SDK's server knows the revision that it answers in. */
class OneAnswer extends PerRequestHTTPServerTransport {
  readonly #answered = Promise.withResolvers<JSONRPCMessage>()
  readonly answer = this.#answered.promise

  /** What a server tells besides has nobody who listens. */
  override async send(message: JSONRPCMessage) {
    if (!('method' in message)) this.#answered.resolve(message)
  }
}
