/** Base paths of the bindings, as the profile publishes them. */
export const REST_BASE = '/usp/v1'
export const MCP_PATH = '/usp/mcp'
/** The endpoint with the separate tools for people's assistants. */
export const ASSISTANT_PATH = '/mcp'
export const LLMS_PATH = '/llms.txt'

/** Words in the place of a service id in some operation paths. No service may have one of them as its id. */
export const SERVICE_PATH_WORDS: readonly string[] = ['feed', 'list', 'lookup']
