import type { Protocol } from './deployment-modes.ts'

/**
 * The base paths of the Universal Scheduling Protocol (USP) over REST and over MCP. The public profile of the business
 * lists these paths.
 */
export const REST_BASE = '/usp/v1'
export const MCP_PATH = '/usp/mcp'
/** The base paths of the Universal Commerce Protocol (UCP) over REST and over MCP. */
export const UCP_REST_BASE = '/ucp/v1'
export const UCP_MCP_PATH = '/ucp/mcp'
/** Returns the protocol, USP or UCP, whose answer format applies at this path. */
export const protocolAt = (path: string): Protocol => (path.startsWith('/ucp/') ? 'ucp' : 'usp')
/**
 * The path of the MCP endpoint for personal AI assistants. This endpoint offers other tools than the protocol endpoint
 * at `MCP_PATH`.
 */
export const ASSISTANT_PATH = '/mcp'
export const LLMS_PATH = '/llms.txt'

/**
 * Words that follow `/services/` in some REST paths, where other paths have a service id. Therefore no service may have
 * one of these words as its id.
 */
export const SERVICE_PATH_WORDS: readonly string[] = ['feed', 'list', 'lookup']
