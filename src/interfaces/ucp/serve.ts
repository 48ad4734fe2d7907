import type { FastifyInstance } from 'fastify'
import { checks } from '../../pipeline/checks-in-order.ts'
import { UCP_MCP_PATH, UCP_REST_BASE } from '../../protocol/base-url-paths.ts'
import { isServed } from '../../protocol/capabilities.ts'
import { mcpOverHttp } from '../mcp/mcp-http.ts'
import { type RestDependencies, restBinding } from '../rest/serve-rest-operations.ts'
import { ucpTools } from './ucp-tools.ts'

/**
 * Serves the UCP (Universal Commerce Protocol) checkout over REST and as MCP tools. Its operations have the same checks
 * as the USP operations, but other paths and answers.
 */
export function serveUcp(scope: FastifyInstance, dependencies: RestDependencies): void {
  const { operations, business } = dependencies
  restBinding(scope, dependencies, UCP_REST_BASE)
  const closed = async () => {
    const definition = await business.get()
    return operations.some((operation) => isServed(operation, definition)) ? undefined : 'There is no checkout here.'
  }
  mcpOverHttp(scope, ucpTools(dependencies), dependencies, { path: UCP_MCP_PATH, name: 'ucp', guards: checks, closed })
}
