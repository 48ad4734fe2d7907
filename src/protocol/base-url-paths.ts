import type { Protocol } from './deployment-modes.ts'

/** The base paths of the USP protocol: over REST and over MCP. The profile of the business publishes these paths. */
export const REST_BASE = '/usp/v1'
export const MCP_PATH = '/usp/mcp'
/** The base paths of the UCP protocol: over REST and over MCP. */
export const UCP_REST_BASE = '/ucp/v1'
export const UCP_MCP_PATH = '/ucp/mcp'
/** Returns the protocol that defines the answers at a path. */
export const protocolAt = (path: string): Protocol => (path.startsWith('/ucp/') ? 'ucp' : 'usp')
/**
 * The path of the MCP endpoint for the AI assistants of people. This endpoint has other tools than the endpoint of the
 * protocol.
 */
export const ASSISTANT_PATH = '/mcp'
export const LLMS_PATH = '/llms.txt'

/**
 * In some paths, one of these words stands in the place of a service id. Therefore no service may have one of these
 * words as its id.
 */
export const SERVICE_PATH_WORDS: readonly string[] = ['feed', 'list', 'lookup']
