import { recordOf } from '../../basics/record-of.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { parseJson } from '../../protocol/json.ts'

/** A body that is no message a tool server can answer, with what JSON-RPC answers to it. */
export class NoMessage extends Error {
  readonly status: number
  readonly response: object

  constructor(status: number, id: unknown, code: number, content: string) {
    super(content)
    this.status = status
    this.response = {
      jsonrpc: '2.0',
      id,
      // What the protocol has a number for it has a word for too. Otherwise clients print a sentence.
      error: {
        code,
        message: code === -32600 ? 'invalid_request' : content,
        data: { code: 'invalid_request', content },
      },
    }
  }
}

/** The one message that the body holds. What the SDK would refuse in its own words is refused in the protocol's. */
export function readMessage(body: Buffer): unknown {
  const message = parsed(body)
  if (Array.isArray(message)) throw new NoMessage(200, null, -32600, 'Send one message at a time.')
  const { jsonrpc, id = null, method, params } = recordOf(message)
  if (jsonrpc !== '2.0') throw new NoMessage(400, null, -32600, 'Send a JSON-RPC 2.0 message.')
  if (method === 'tools/call' && Array.isArray(params))
    throw new NoMessage(200, id, -32600, 'Parameters are passed by name: `params` must be an object.')
  return message
}

function parsed(body: Buffer): unknown {
  try {
    return parseJson(body)
  } catch (error) {
    if (error instanceof ProtocolError) throw new NoMessage(400, null, -32700, error.message)
    throw error
  }
}
