import manifest from '../../../package.json' with { type: 'json' }

/**
 * The last part of the name of an MCP server. The server `booking` is for AI assistants, `scheduling` is for USP
 * platforms, and `checkout` is for UCP platforms.
 */
export type McpServerName = 'booking' | 'scheduling' | 'checkout'

/**
 * Returns the name and version of an MCP server for clients and registries. The name is the domain in reverse, followed
 * by the last part, such as `com.example/booking`.
 */
export const serverInfo = (baseUrl: string, name: McpServerName) => ({
  name: `${new URL(baseUrl).hostname
    .replace(/[^\w.-]/g, '')
    .split('.')
    .reverse()
    .join('.')}/${name}`,
  version: manifest.version,
})
