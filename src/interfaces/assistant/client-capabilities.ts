import { CLIENT_CAPABILITIES_META_KEY, type ServerContext } from '@modelcontextprotocol/server'
import { asRecord } from '../../infra/util/records.ts'
import { UI_EXTENSION } from './view.ts'

export type ClientRequest = Pick<ServerContext, 'mcpReq'>

/**
 * In the newest MCP revision each message carries the capabilities of the client.
 * Older revisions send them once at initialization, and this server is stateless.
 */
const capabilitiesIn = ({ mcpReq: { envelope } }: ClientRequest) => asRecord(envelope)[CLIENT_CAPABILITIES_META_KEY]

/** Whether the client opens links for the person and repeats the call with their answer (elicitation in URL mode). */
export const canOpenLinks = (request: ClientRequest): boolean =>
  asRecord(asRecord(capabilitiesIn(request)).elicitation).url !== undefined

/** Whether the client may show views. Unknown capabilities count as yes. */
export function mayShowViews(request: ClientRequest): boolean {
  const capabilities = capabilitiesIn(request)
  return capabilities === undefined || asRecord(asRecord(capabilities).extensions)[UI_EXTENSION] !== undefined
}
