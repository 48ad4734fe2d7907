import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'
import { signIn } from '../../examples/clients/sign-in.ts'
import type { Call } from './conversation.ts'

type Settings = ConstructorParameters<typeof StreamableHTTPClientTransport>[1]

/** Connects a standard MCP client to the server. */
export async function assistant(origin: string, settings: Settings = {}) {
  const client = new Client({ name: 'transcript', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', origin), settings)
  await client.connect(transport)

  const call: Call = async (name, input) => {
    const { content, structuredContent, isError = false } = await client.callTool({ name, arguments: { ...input } })
    const [block] = content
    return { text: block?.type === 'text' ? block.text : '', data: structuredContent, isError }
  }
  return { call, transport, leave: () => client.close() }
}

/** Connects a client whose person signs in. The person opens the sign-in address when a tool requires it. */
export async function signedInAssistant(origin: string, visit: (address: string) => Promise<unknown>) {
  const { provider, back } = await signIn()
  let address = ''
  const authProvider = {
    ...provider,
    redirectToAuthorization(url: URL) {
      address = url.href
    },
  }
  const { call, transport, leave } = await assistant(origin, { authProvider })
  const answer = await call('my_bookings', {}).catch((error: unknown) => error)
  if (!(answer instanceof UnauthorizedError)) throw new Error('Nobody was asked to sign in.')
  await visit(address)
  await transport.finishAuth(await back)
  await leave()
  return assistant(origin, { authProvider })
}
