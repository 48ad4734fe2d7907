import { CLIENT_CAPABILITIES_META_KEY, type ServerContext } from '@modelcontextprotocol/server'
import { recordOf } from '../../infra/util/record-of.ts'
import { UI_EXTENSION } from './view.ts'

export type Asking = Pick<ServerContext, 'mcpReq'>

/** What the client says of itself in each message of the newest revision; in older ones it did as it began, and nobody here remembers. */
const capabilitiesIn = ({ mcpReq: { envelope } }: Asking) => recordOf(envelope)[CLIENT_CAPABILITIES_META_KEY]

/** Whether it opens links for the person, and comes again with their answer (elicitation in URL mode). */
export const canOpen = (asking: Asking): boolean =>
  recordOf(recordOf(capabilitiesIn(asking)).elicitation).url !== undefined

/** Whether it shows views, as far as that is known. */
export function mayShow(asking: Asking): boolean {
  const capabilities = capabilitiesIn(asking)
  return capabilities === undefined || recordOf(recordOf(capabilities).extensions)[UI_EXTENSION] !== undefined
}
