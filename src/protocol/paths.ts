/** Base paths of the two bindings, which the business profile publishes. */
export const REST_BASE = '/usp/v1'
export const MCP_PATH = '/usp/mcp'
/** The same for UCP. */
export const UCP_REST_BASE = '/ucp/v1'
export const UCP_MCP_PATH = '/ucp/mcp'
/** The endpoint with the separate tools for people's assistants. */
export const ASSISTANT_PATH = '/mcp'
export const LLMS_PATH = '/llms.txt'

/** Words that some operation paths have in the place of a service id. No service may have such a word as its id. */
export const SERVICE_PATH_WORDS: readonly string[] = ['feed', 'list', 'lookup']
