/** Where the operations are called, as the profile says. */
export const REST_BASE = '/usp/v1'
export const MCP_PATH = '/usp/mcp'
/** Where people's assistants call tools of their own. */
export const ASSISTANT_PATH = '/mcp'
/** Where they read what can be done here. */
export const LLMS_PATH = '/llms.txt'

/** What stands in the address of an operation where the id of a service stands in others, so that no service has it as its id. */
export const SERVICE_PATH_WORDS: readonly string[] = ['feed', 'list', 'lookup']
