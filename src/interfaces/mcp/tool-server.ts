import { type JSONRPCMessage, Server, type Transport } from '@modelcontextprotocol/server'
import { asRecord } from '../../infra/util/records.ts'
import { dataOf } from './json-rpc-errors.ts'

/**
 * Corrects errors of the SDK's server before they are sent. The SDK changes -32002 to -32602, because it has another
 * meaning for -32002. It answers invalid parameters as an internal error. It also leaves out `data`.
 */
export class ToolServer extends Server {
  override connect(transport: Transport): Promise<void> {
    const send = transport.send.bind(transport)
    transport.send = (message, options) => send(withCorrectedError(message), options)
    return super.connect(transport)
  }
}

function withCorrectedError(message: JSONRPCMessage): JSONRPCMessage {
  if (!('error' in message)) return message
  const { code, data } = message.error
  if (asRecord(data).code === 'revision_mismatch') return { ...message, error: { ...message.error, code: -32002 } }
  if (code === -32603 && data === undefined) return { ...message, error: invalidParameters }
  if (data === undefined) return { ...message, error: { ...message.error, data: dataOf(message.error.message) } }
  return message
}

const UNFIT = 'The parameters do not match this method.'
const invalidParameters = { code: -32602, message: UNFIT, data: dataOf(UNFIT) }
