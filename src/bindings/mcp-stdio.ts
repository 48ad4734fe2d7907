import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { McpBinding } from './mcp.ts'

/** The tools over standard input and output; resolves when the client closes its end. */
export async function mcpOverStdio(mcp: McpBinding): Promise<void> {
  const closed = new Promise<void>((resolve) => process.stdin.once('end', resolve).once('close', resolve))
  serveStdio(() => mcp.serve({ headers: {}, peer: { address: 'stdio' }, answerHeaders: {} }))
  await closed
}
