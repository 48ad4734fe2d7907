/**
 * Books with the TypeScript SDK 2.x. The client needs only the address of the server:
 *
 *   npx node typescript-2.ts http://127.0.0.1:8080/mcp            prints a link to a page; the person books there
 *   npx node typescript-2.ts http://127.0.0.1:8080/mcp --sign-in  the person signs in first, then the client books
 */
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'
import { bookSomething, type Call, dataOf } from './converse.ts'
import { signIn } from './sign-in.ts'

const [, , address = 'http://127.0.0.1:8080/mcp', how] = process.argv
const url = new URL(address)
const me = { name: 'example', version: '1' }

const callsOf =
  (client: Client): Call =>
  async (name, input = {}) =>
    dataOf(await client.callTool({ name, arguments: input }))

async function connected(transport: StreamableHTTPClientTransport) {
  const client = new Client(me, { versionNegotiation: { mode: 'auto' } })
  await client.connect(transport)
  return client
}

async function signedIn() {
  const { provider, back } = await signIn()
  const open = () => new StreamableHTTPClientTransport(url, { authProvider: provider })
  const transport = open()
  const stranger = await connected(transport)
  try {
    // This tool needs a person who signed in, so the server answers with the address of the sign-in page.
    await callsOf(stranger)('my_bookings')
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw error
    await transport.finishAuth(await back)
  }
  await stranger.close()
  return connected(open())
}

if (how === '--sign-in') {
  const client = await signedIn()
  await bookSomething(callsOf(client), { first_name: 'Rosa', last_name: 'Díaz' })
  await client.close()
} else {
  const client = await connected(new StreamableHTTPClientTransport(url))
  await bookSomething(callsOf(client))
  await client.close()
}
