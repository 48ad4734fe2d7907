import { CLIENT_CAPABILITIES_META_KEY, type ServerContext } from '@modelcontextprotocol/server'
import { asRecord } from '../../infra/util/object-members.ts'
import { UI_EXTENSION } from './booking-view.ts'

export type ClientRequest = Pick<ServerContext, 'mcpReq'>

/**
 * Returns the features that the MCP client (the assistant's program) supports. In the newest MCP revision, each message
 * lists them. In older revisions, only the first message lists them, and the server does not store them. The result is
 * then undefined.
 */
const capabilitiesIn = ({ mcpReq: { envelope } }: ClientRequest) => asRecord(envelope)[CLIENT_CAPABILITIES_META_KEY]

/**
 * Whether the MCP client can open a link for the person, and repeat the tool call afterwards. MCP calls this feature
 * “elicitation in URL mode”.
 */
export const canOpenLinks = (request: ClientRequest): boolean =>
  asRecord(asRecord(capabilitiesIn(request)).elicitation).url !== undefined

/**
 * Whether the server may send the booking view (an HTML page) to the MCP client. The result is also true if the server
 * does not know the client's features.
 */
export function mayShowViews(request: ClientRequest): boolean {
  const capabilities = capabilitiesIn(request)
  return capabilities === undefined || asRecord(asRecord(capabilities).extensions)[UI_EXTENSION] !== undefined
}
