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
import { asRecord } from '../../infra/util/object-members.ts'
import { checkRepeatedHeaders, repeatedHeadersIn } from './check-headers-match-message.ts'
import { malformed, refused } from './mcp-message.ts'
import type { McpContext } from './mcp-request-context.ts'
import { NEWEST_REVISION } from './serve-tools.ts'

/** The HTTP answer to one MCP message. The text is empty if the message needs no answer. */
interface Answered {
  status: number
  text: string
}

/**
 * Answers one MCP message in the protocol revision of the message. The server does not use the HTTP transports of the
 * MCP SDK. With their sessions, streams and batches, each call took 50 percent longer.
 */
export async function answerMessage(
  serve: () => Server,
  message: unknown,
  { headers }: Pick<McpContext, 'headers'>,
): Promise<Answered> {
  const { request, classification } = isLegacyToolCall(message, headers)
    ? { request: message, classification: LEGACY }
    : classified(message, headers)
  // A message that is not a request, such as a notification, needs no answer. It also has no effect, because this
  // server instance processes no other message.
  if (!request) return { status: 202, text: '' }
  const transport = new SingleAnswerTransport({ classification })
  await serve().connect(transport)
  transport.onmessage?.(request, { classification })
  const answer = await transport.answer
  // In the newest MCP revision, the answer to an unknown method must have the HTTP status 404.
  const isUnknown = 'error' in answer && answer.error.code === UNKNOWN_METHOD && classification.era === 'modern'
  return { status: isUnknown ? 404 : 200, text: JSON.stringify(answer) }
}

const UNKNOWN_METHOD = -32601
const LONGEST_REVISION = 100

const LEGACY: MessageClassification = { era: 'legacy' }

/**
 * Whether the message is a tool call in an older MCP revision. The server recognizes such a call without the SDK. The
 * SDK is slower, because it first validates each message as two kinds of response.
 */
function isLegacyToolCall(message: unknown, headers: McpContext['headers']): message is JSONRPCRequest {
  const { method, params } = asRecord(message)
  const revision = repeatedHeadersIn(headers).protocolVersionHeader
  const isKnown = revision === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(revision)
  return isKnown && method === 'tools/call' && asRecord(params)._meta === undefined && isJSONRPCRequest(message)
}

interface Classified {
  request: JSONRPCRequest | undefined
  classification: MessageClassification
}

/**
 * Finds the MCP revision of a message in `_meta` or in a header. In older revisions, the message `initialize` states
 * the revision.
 */
function classified(message: unknown, headers: McpContext['headers']): Classified {
  const { id = null } = asRecord(message)
  const repeatedHeaders = repeatedHeadersIn(headers)
  const kind = classifyInboundRequest({ httpMethod: 'POST', body: message, ...repeatedHeaders })
  if (kind.kind === 'reject') throw refused(kind.httpStatus, id, kind)
  const revision = repeatedHeaders.protocolVersionHeader
  if (kind.kind === 'legacy') {
    if (revision !== undefined && kind.reason !== 'initialize' && !SUPPORTED_PROTOCOL_VERSIONS.includes(revision))
      throw malformed(
        400,
        null,
        -32000,
        `This server does not support the revision ${JSON.stringify(revision.slice(0, LONGEST_REVISION))}.`,
      )
    return { request: isJSONRPCRequest(message) ? message : undefined, classification: LEGACY }
  }
  const { classification } = kind
  const { revision: requested = '' } = classification
  if (requested !== NEWEST_REVISION)
    throw refused(400, id, new UnsupportedProtocolVersionError({ supported: [NEWEST_REVISION], requested }))
  if (kind.messageKind !== 'request') return { request: undefined, classification }
  checkRepeatedHeaders(kind.message, repeatedHeaders)
  return { request: kind.message, classification }
}

/**
 * An MCP transport that carries exactly one answer. It extends a class of the SDK, because the SDK reads the revision
 * of its answers only from this class.
 */
class SingleAnswerTransport extends PerRequestHTTPServerTransport {
  readonly #answered = Promise.withResolvers<JSONRPCMessage>()
  readonly answer = this.#answered.promise

  /**
   * Keeps the answer of the SDK. Discards notifications of the SDK, because the server has no stream for notifications.
   */
  override async send(message: JSONRPCMessage) {
    if (!('method' in message)) this.#answered.resolve(message)
  }
}
