import manifest from '../../../package.json' with { type: 'json' }

/** The last part of the name of an MCP server: for assistants of people, for platforms of USP, and for those of UCP. */
export type McpServerName = 'booking' | 'scheduling' | 'checkout'

/**
 * Returns the name by which an MCP server presents itself to clients and registries: the domain in reverse, then the
 * last part.
 */
export const implementationOf = (baseUrl: string, name: McpServerName) => ({
  name: `${new URL(baseUrl).hostname
    .replace(/[^\w.-]/g, '')
    .split('.')
    .reverse()
    .join('.')}/${name}`,
  version: manifest.version,
})
