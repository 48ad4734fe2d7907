import type { Protocol } from './deployment-modes.ts'

/** Base paths of the two USP bindings, REST and MCP. The business profile publishes them. */
export const REST_BASE = '/usp/v1'
export const MCP_PATH = '/usp/mcp'
/** Base paths of the two UCP bindings, REST and MCP. */
export const UCP_REST_BASE = '/ucp/v1'
export const UCP_MCP_PATH = '/ucp/mcp'
/** Returns the protocol that defines the answers at a path. */
export const protocolAt = (path: string): Protocol => (path.startsWith('/ucp/') ? 'ucp' : 'usp')
/** The MCP endpoint for the AI assistants of people. It has other tools than the protocol. */
export const ASSISTANT_PATH = '/mcp'
export const LLMS_PATH = '/llms.txt'

/**
 * Some paths contain one of these words where other paths contain a service id. So no service may have one of these
 * words as its id.
 */
export const SERVICE_PATH_WORDS: readonly string[] = ['feed', 'list', 'lookup']
