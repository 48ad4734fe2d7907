import { type GetPromptResult, ProtocolError, type Server } from '@modelcontextprotocol/server'
import { asRecord } from '../../infra/util/object-members.ts'
import { jsonRpcErrorOf, newJsonRpcError } from '../mcp/json-rpc-errors.ts'
import type { McpContext } from '../mcp/mcp-request-context.ts'
import { UI_EXTENSION } from './booking-view.ts'
import { resources } from './mcp-resources.ts'
import { shortened } from './quote-untrusted-text.ts'
import { type AssistantDependencies, ToolError, toolContextIn } from './tool-definition.ts'

/**
 * Adds the MCP resources (documents such as the booking view) and the MCP prompts (prepared requests) to the MCP
 * server.
 */
export function serveResourcesAndPrompts(
  server: Server,
  exchange: McpContext,
  dependencies: AssistantDependencies,
): Server {
  server.registerCapabilities({ resources: {}, prompts: {}, extensions: { [UI_EXTENSION]: {} } })
  server.setRequestHandler('resources/list', async () => ({
    resources: resources.map(({ read: _, ...listed }) => listed),
  }))
  server.setRequestHandler('resources/templates/list', async () => ({ resourceTemplates: [] }))
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const resource = resources.find((one) => one.uri === uri)
    if (!resource) throw unknownResource(uri)
    const { mimeType, _meta } = resource
    try {
      const text = await resource.read(await toolContextIn(exchange, dependencies))
      return { contents: [{ uri, mimeType, text, ...(_meta && { _meta }) }] }
    } catch (error) {
      throw error instanceof ToolError ? newJsonRpcError(-32603, error.message) : jsonRpcErrorOf(error, exchange)
    }
  })
  server.setRequestHandler('prompts/list', async () => ({ prompts: prompts.map(({ say: _, ...listed }) => listed) }))
  server.setRequestHandler(
    'prompts/get',
    async ({ params: { name, arguments: values = {} } }): Promise<GetPromptResult> => {
      const prompt = prompts.find((one) => one.name === name)
      if (!prompt) throw unknown('prompt', name, 'prompts/list')
      return { messages: [{ role: 'user', content: { type: 'text', text: prompt.say(bounded(values)) } }] }
    },
  )
  return server
}

/**
 * The error for an unknown MCP resource. MCP requires the URI of the resource in the error data. The server shortens a
 * long URI.
 */
function unknownResource(uri: string) {
  const { code, message, data } = unknown('resource', uri, 'resources/list')
  return new ProtocolError(code, message, { ...asRecord(data), uri: uri.slice(0, LONGEST) })
}

const unknown = (kind: string, name: string, list: string) =>
  newJsonRpcError(-32602, `There is no ${kind} ${JSON.stringify(shortened(name, 100))}. Call ${list} for the list.`)

const LONGEST = 200
const bounded = (values: Record<string, string>) => ({
  what: shortened(values.what ?? '', LONGEST),
  when: shortened(values.when ?? '', LONGEST),
})

interface Wish {
  what: string
  when: string
}

const when = { name: 'when', description: 'Such as: next Tuesday after work.' }

/**
 * The MCP prompts: prepared requests in the menu of the assistant's program. If a person chooses a prompt, the
 * assistant gets the text of the prompt as a message from this person.
 */
const prompts = [
  {
    name: 'book',
    title: 'Book',
    description: 'Find a time and book it.',
    arguments: [{ name: 'what', description: 'Such as: a haircut.' }, when],
    say: ({ what, when }: Wish) =>
      `Please book ${what || 'something'} for me${when && `, ${when}`}. Search with find_services, then with ` +
      'find_times. Tell me the times and what they cost, and let me choose before you call book. If it returns ' +
      'a link, give it to me unchanged.',
  },
  {
    name: 'move',
    title: 'Move a booking',
    description: 'Give one of your bookings another time.',
    arguments: [when],
    say: ({ when }: Wish) =>
      `Please move a booking of mine${when && ` to ${when}`}. Find it with my_bookings, and ask me if there ` +
      'are several. Then let me choose from find_times of the same service, and say what moving costs before ' +
      'you call move_booking.',
  },
]
