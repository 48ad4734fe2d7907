/** Base paths of the two bindings, which the business profile publishes. */
export const REST_BASE = '/usp/v1'
export const MCP_PATH = '/usp/mcp'
/** The MCP endpoint for the AI assistants of buyers, with its own tools. */
export const ASSISTANT_PATH = '/mcp'
export const LLMS_PATH = '/llms.txt'

/** Words that some operation paths have in the place of a service id. No service may have such a word as its id. */
export const SERVICE_PATH_WORDS: readonly string[] = ['feed', 'list', 'lookup']
