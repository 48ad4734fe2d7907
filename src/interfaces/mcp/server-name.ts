import manifest from '../../../package.json' with { type: 'json' }

/** The last part of the name of an MCP server: for assistants of people, for platforms of USP, and for those of UCP. */
export type McpServerName = 'booking' | 'scheduling' | 'checkout'

/** How an MCP server names itself to clients, in its server card and in registries: the domain in reverse, then the name. */
export const implementationOf = (baseUrl: string, name: McpServerName) => ({
  name: `${new URL(baseUrl).hostname
    .replace(/[^\w.-]/g, '')
    .split('.')
    .reverse()
    .join('.')}/${name}`,
  version: manifest.version,
})
