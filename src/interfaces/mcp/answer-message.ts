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

/** The answer to one message. The text is empty when the message asked for no answer. */
interface Answered {
  status: number
  text: string
}

/**
 * Answers one message in its protocol revision, as the SDK classifies it. The SDK's own transports support sessions,
 * streams and batches. This server needs none of these, and their overhead was half of a tool's own time.
 */
export async function answerMessage(
  serve: () => Server,
  message: unknown,
  { headers }: Pick<Exchange, 'headers'>,
): Promise<Answered> {
  const { request, classification } = isPlainlyOlder(message, headers)
    ? { request: message, classification: OLDER }
    : classified(message, headers)
  // A notification, or a response. It gets no answer, and this server has no running work that it could affect.
  if (!request) return { status: 202, text: '' }
  const transport = new OneAnswer({ classification })
  await serve().connect(transport)
  transport.onmessage?.(request, { classification })
  const answer = await transport.answer
  // In the newer revision, an unknown method also has HTTP status 404.
  const isUnknown = 'error' in answer && answer.error.code === UNKNOWN_METHOD && classification.era === 'modern'
  return { status: isUnknown ? 404 : 200, text: JSON.stringify(answer) }
}

const UNKNOWN_METHOD = -32601
const LONGEST = 100

const OLDER: MessageClassification = { era: 'legacy' }

/**
 * Fast path: a tool call that names no revision. The SDK would otherwise validate it first as two kinds of response, which
 * is slow.
 */
function isPlainlyOlder(message: unknown, headers: Exchange['headers']): message is JSONRPCRequest {
  const { method, params } = recordOf(message)
  const revision = saidIn(headers).protocolVersionHeader
  const isKnown = revision === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(revision)
  return isKnown && method === 'tools/call' && recordOf(params)._meta === undefined && isJSONRPCRequest(message)
}

interface Classified {
  request: JSONRPCRequest | undefined
  classification: MessageClassification
}

/** The revision of a message: from its `_meta`, from a header, or from `initialize` in the older revisions. */
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

/** The SDK's server takes the revision of its answers from the classification, and only from this kind of transport. */
class OneAnswer extends PerRequestHTTPServerTransport {
  readonly #answered = Promise.withResolvers<JSONRPCMessage>()
  readonly answer = this.#answered.promise

  /** Drops notifications: there is no stream to send them on. */
  override async send(message: JSONRPCMessage) {
    if (!('method' in message)) this.#answered.resolve(message)
  }
}
