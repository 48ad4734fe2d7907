/** Where the operations are called, as the profile says. */
export const REST_BASE = '/usp/v1'
export const MCP_PATH = '/usp/mcp'
