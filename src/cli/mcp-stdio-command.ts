import { mcpBinding } from '../interfaces/mcp/mcp-server.ts'
import { mcpOverStdio } from '../interfaces/mcp/mcp-stdio.ts'
import { open } from './open-database.ts'
import { watchSecret } from './watch-secret-key.ts'

export async function run() {
  // The log uses standard error, because standard output carries the MCP messages.
  const { runtime, keepTime, close } = await open({ logTo: process.stderr })
  keepTime()
  const endWatch = watchSecret(runtime)
  await mcpOverStdio(mcpBinding(runtime), runtime)
  await endWatch()
  await close()
}
