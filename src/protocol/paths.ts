/** Base paths of the two bindings. The business profile publishes them. */
export const REST_BASE = '/usp/v1'
export const MCP_PATH = '/usp/mcp'
/** Base paths of the two bindings of UCP. */
export const UCP_REST_BASE = '/ucp/v1'
export const UCP_MCP_PATH = '/ucp/mcp'
/** The endpoint of the interface for people's assistants, which has its own tools. */
export const ASSISTANT_PATH = '/mcp'
export const LLMS_PATH = '/llms.txt'

/** Some operation paths have these words in the place of a service id. So no service may have such a word as its id. */
export const SERVICE_PATH_WORDS: readonly string[] = ['feed', 'list', 'lookup']
