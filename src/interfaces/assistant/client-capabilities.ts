import { CLIENT_CAPABILITIES_META_KEY, type ServerContext } from '@modelcontextprotocol/server'
import { recordOf } from '../../infra/util/record-of.ts'
import { UI_EXTENSION } from './view.ts'

export type Asking = Pick<ServerContext, 'mcpReq'>

/**
 * In the newest MCP revision each message carries the capabilities of the client.
 * Older revisions send them once at initialization, and this server is stateless.
 */
const capabilitiesIn = ({ mcpReq: { envelope } }: Asking) => recordOf(envelope)[CLIENT_CAPABILITIES_META_KEY]

/** Whether the client opens links for the person and repeats the call with their answer (elicitation in URL mode). */
export const canOpen = (asking: Asking): boolean =>
  recordOf(recordOf(capabilitiesIn(asking)).elicitation).url !== undefined

/** Whether the client may show views. Unknown capabilities count as yes. */
export function mayShow(asking: Asking): boolean {
  const capabilities = capabilitiesIn(asking)
  return capabilities === undefined || recordOf(recordOf(capabilities).extensions)[UI_EXTENSION] !== undefined
}
