import { CLIENT_CAPABILITIES_META_KEY, type ServerContext } from '@modelcontextprotocol/server'
import { asRecord } from '../../infra/util/object-members.ts'
import { UI_EXTENSION } from './view.ts'

export type ClientRequest = Pick<ServerContext, 'mcpReq'>

/**
 * Capabilities of the client. In the newest MCP revision, each message contains the capabilities. In older revisions,
 * only the initialization contains them. This server stores no state of clients, so the capabilities are then unknown.
 */
const capabilitiesIn = ({ mcpReq: { envelope } }: ClientRequest) => asRecord(envelope)[CLIENT_CAPABILITIES_META_KEY]

/**
 * Whether the client can open links for the person and then repeat the call with the answer of the person (elicitation
 * in URL mode).
 */
export const canOpenLinks = (request: ClientRequest): boolean =>
  asRecord(asRecord(capabilitiesIn(request)).elicitation).url !== undefined

/** Whether the client may show views. If the capabilities are unknown, the answer is yes. */
export function mayShowViews(request: ClientRequest): boolean {
  const capabilities = capabilitiesIn(request)
  return capabilities === undefined || asRecord(asRecord(capabilities).extensions)[UI_EXTENSION] !== undefined
}
