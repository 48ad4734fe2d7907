import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { InvalidMessageError, readMessage } from './mcp-message.ts'
import type { McpBinding } from './mcp-server.ts'

/**
 * After the client has closed its input, the server still reads messages for this number of milliseconds. Then the
 * server writes the last answers and ends.
 */
const DRAIN_MS = 100
const NEWLINE = Buffer.from('\n')

/**
 * Serves MCP tools over standard input and output. The promise resolves when the client has closed its input and has
 * received all answers.
 */
export async function mcpOverStdio(mcp: McpBinding, { log }: Dependencies<'log'>): Promise<void> {
  // The MCP SDK discards running calls when its input ends. Therefore the server ends the input of the SDK only after
  // the last answer.
  const input = new PassThrough()
  const lines = new LineSplitter()
  process.stdin.on('data', (chunk: Buffer) => {
    for (const line of lines.split(chunk)) {
      const refusal = refusalOfLine(line)
      if (refusal) process.stdout.write(`${JSON.stringify(refusal)}\n`)
      else input.write(Buffer.concat([line, NEWLINE]))
    }
  })
  const exchange = () => ({ headers: {}, peer: { address: 'stdio' }, answerHeaders: {}, log })
  const session = serveStdio(() => mcp.serve(exchange()), {
    transport: new StdioServerTransport(input, process.stdout),
  })
  await once(process.stdin, 'end')
  await setTimeout(DRAIN_MS)
  await mcp.idle()
  await setTimeout(DRAIN_MS)
  await session.close()
}

/**
 * Returns the JSON-RPC error for an input line that is not a valid MCP message. Clients get the same error over HTTP.
 * The SDK itself would discard the line without an answer.
 */
function refusalOfLine(line: Buffer): object | undefined {
  try {
    readMessage(line)
  } catch (error) {
    if (error instanceof InvalidMessageError) return error.response
    throw error
  }
}

/** The maximum number of bytes in an input line with one MCP message. An HTTP body has the same limit. */
const LONGEST_LINE_BYTES = 1024 * 1024

/**
 * Splits a stream of MCP messages into lines, and truncates a line that is too long. The truncated line is not valid
 * JSON, so the client gets an error.
 */
class LineSplitter {
  #pieces: Buffer[] = []
  #length = 0

  split(chunk: Buffer): Buffer[] {
    const lines: Buffer[] = []
    let from = 0
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', from)) {
      this.#keep(chunk.subarray(from, end))
      from = end + 1
      const line = Buffer.concat(this.#pieces)
      this.#pieces = []
      this.#length = 0
      if (line.toString('latin1').trim() !== '') lines.push(line)
    }
    this.#keep(chunk.subarray(from))
    return lines
  }

  #keep(piece: Buffer) {
    const fitting = piece.subarray(0, LONGEST_LINE_BYTES - this.#length)
    if (fitting.length === 0) return
    this.#pieces.push(fitting)
    this.#length += fitting.length
  }
}
