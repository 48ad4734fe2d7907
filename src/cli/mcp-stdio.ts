import { mcpBinding } from '../bindings/mcp.ts'
import { mcpOverStdio } from '../bindings/mcp-stdio.ts'
import { open } from './open.ts'

export async function run() {
  // Standard output belongs to the protocol.
  const { runtime, keepTime, close } = await open({ logTo: process.stderr })
  keepTime()
  await mcpOverStdio(mcpBinding(runtime), runtime)
  await close()
}
