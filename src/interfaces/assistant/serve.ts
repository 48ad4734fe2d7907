import type { FastifyInstance } from 'fastify'
import { isOpenToAssistants } from '../../core/business/definition-facts.ts'
import { ASSISTANT_PATH } from '../../protocol/base-url-paths.ts'
import { mcpOverHttp } from '../mcp/mcp-http.ts'
import { assistantBinding } from './assistant-mcp-server.ts'
import { authenticate } from './authenticate.ts'
import { serveDiscovery } from './serve-discovery-documents.ts'
import type { AssistantDependencies } from './tool-definition.ts'

/**
 * Serves the MCP interface for assistants, and the documents with which assistants find this interface. The interface
 * is closed if the booking pages are closed, or if the business does not allow assistants.
 */
export function serveAssistant(scope: FastifyInstance, dependencies: AssistantDependencies) {
  const closed = async () => {
    const definition = await dependencies.business.get()
    return definition && isOpenToAssistants(definition) ? undefined : 'Assistants cannot book here.'
  }
  mcpOverHttp(scope, assistantBinding(dependencies), dependencies, {
    path: ASSISTANT_PATH,
    name: 'assistant',
    closed,
    admit: (message, exchange) => authenticate(message, exchange, dependencies),
    guards: [{ name: 'counted as messages' }, { name: 'tokens, where some are shown' }],
  })
  serveDiscovery(scope, dependencies)
}
