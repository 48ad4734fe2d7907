import manifest from '../../../package.json' with { type: 'json' }

/**
 * The last part of an MCP server's name. The three servers are for assistants of people, for USP platforms, and for UCP
 * platforms.
 */
export type McpServerName = 'booking' | 'scheduling' | 'checkout'

/**
 * Returns the name by which an MCP server presents itself to clients and registries: the domain in reverse, then the
 * last part.
 */
export const serverInfo = (baseUrl: string, name: McpServerName) => ({
  name: `${new URL(baseUrl).hostname
    .replace(/[^\w.-]/g, '')
    .split('.')
    .reverse()
    .join('.')}/${name}`,
  version: manifest.version,
})
