import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isOpenToAssistants } from '../../core/business/definition-facts.ts'
import { memoize } from '../../infra/util/memoize.ts'
import { oneLine } from '../../infra/util/plain-text.ts'
import type { CountingDependencies } from '../../pipeline/limit-calls-per-caller.ts'
import { ASSISTANT_PATH, MCP_PATH, UCP_MCP_PATH } from '../../protocol/base-url-paths.ts'
import { isServed } from '../../protocol/capabilities.ts'
import type { Operation } from '../../protocol/define-operation.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { allowAnyOrigin } from '../http/cors.ts'
import { fixedAnswer } from '../http/fixed-response.ts'
import { JSON_TYPE } from '../http/request-defaults.ts'
import { guarded, rateLimited, refuseOtherMethods } from '../http/route-guards.ts'
import { supportedProtocolVersions } from './serve-tools.ts'
import { type McpServerName, serverInfo } from './server-info.ts'

type CardDependencies = Dependencies<'config' | 'business'> & CountingDependencies & { ucpOperations: Operation[] }

interface Endpoint {
  name: McpServerName
  path: string
  /**
   * The description of the MCP endpoint in its server card (a public document about the endpoint). The format allows at
   * most 100 characters.
   */
  description: string
  websitePath: string
  isOpen(definition: BusinessDefinition | undefined): boolean
}

const CARD_TYPE = 'application/mcp-server-card+json'
const CATALOG_TYPE = 'application/ai-catalog+json'
const CACHE_SECONDS = 3600
/**
 * The paths of the MCP catalogue (a list of MCP endpoints). The first path is from a newer draft of the standard, and
 * the second path is from an older draft. The server uses both paths, so that all clients find the catalogue.
 */
const CATALOG_PATHS = ['/.well-known/ai-catalog.json', '/.well-known/mcp/catalog.json']
const LONGEST_TITLE = 100

const forAssistants: Endpoint = {
  name: 'booking',
  path: ASSISTANT_PATH,
  description: 'Find services and free times of this business, and book them.',
  websitePath: '/book',
  isOpen: (definition) => definition !== undefined && isOpenToAssistants(definition),
}

/**
 * Serves documents about the MCP endpoints: a catalogue, a server card for each endpoint (SEP-2127), and a file for MCP
 * registries. Clients read these documents to choose an endpoint before they connect.
 */
export function serveServerCards(app: FastifyInstance, dependencies: CardDependencies): void {
  const { config, business, ucpOperations } = dependencies
  const { baseUrl } = config
  const endpoints: Endpoint[] = [
    forAssistants,
    {
      name: 'scheduling',
      path: MCP_PATH,
      description: 'Universal Scheduling Protocol: services, availability, holds, bookings and waitlist.',
      websitePath: '/docs',
      isOpen: () => true,
    },
    {
      name: 'checkout',
      path: UCP_MCP_PATH,
      description: 'Universal Commerce Protocol: checkout of a booking, and its order.',
      websitePath: '/docs',
      isOpen: (definition) => ucpOperations.some((operation) => isServed(operation, definition)),
    },
  ]
  const options = allowAnyOrigin(guarded('other', rateLimited(dependencies, 'findings')))
  const serveAt = (path: string, answer: (definition: BusinessDefinition | undefined) => Handler | undefined) => {
    // The business definition stays the same object until it changes. Therefore the server builds the document again
    // only after a change.
    const current = memoize(1, answer)
    app.get(path, options, async (request, reply) => {
      const handler = current(await business.get())
      return handler ? handler(request, reply) : reply.callNotFound()
    })
    refuseOtherMethods(app, path, ['GET'])
  }
  for (const path of CATALOG_PATHS)
    serveAt(path, (definition) => {
      const entries = endpoints.filter(({ isOpen }) => isOpen(definition)).map((one) => entryOf(one, baseUrl))
      return answerOf(CATALOG_TYPE, { specVersion: '1.0', entries })
    })
  for (const one of endpoints)
    serveAt(cardPath(one), (definition) =>
      one.isOpen(definition) ? answerOf(CARD_TYPE, cardOf(one, baseUrl, definition)) : undefined,
    )
  serveAt(`${ASSISTANT_PATH}/server.json`, (definition) =>
    forAssistants.isOpen(definition)
      ? answerOf(JSON_TYPE, registryEntryOf(forAssistants, baseUrl, definition))
      : undefined,
  )
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

const answerOf = (type: string, document: object): Handler =>
  fixedAnswer({ type, content: JSON.stringify(document), maxAgeSeconds: CACHE_SECONDS })

const cardPath = ({ path }: Endpoint) => `${path}/server-card`

const entryOf = (endpoint: Endpoint, baseUrl: string) => ({
  identifier: `urn:air:${new URL(baseUrl).hostname}:mcp:${endpoint.name}`,
  type: CARD_TYPE,
  url: baseUrl + cardPath(endpoint),
})

const cardOf = (endpoint: Endpoint, baseUrl: string, definition: BusinessDefinition | undefined) => ({
  ...descriptionOf(endpoint, baseUrl, definition),
  $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
  remotes: [{ ...remoteOf(endpoint, baseUrl), supportedProtocolVersions }],
})

/** Returns the file that the owner of the domain submits to a public registry of MCP servers. */
const registryEntryOf = (endpoint: Endpoint, baseUrl: string, definition: BusinessDefinition | undefined) => ({
  ...descriptionOf(endpoint, baseUrl, definition),
  $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  remotes: [remoteOf(endpoint, baseUrl)],
})

const descriptionOf = (
  { name, description, websitePath }: Endpoint,
  baseUrl: string,
  definition: BusinessDefinition | undefined,
) => ({
  ...serverInfo(baseUrl, name),
  ...(definition && { title: oneLine(definition.business.name).slice(0, LONGEST_TITLE).toWellFormed() }),
  description,
  websiteUrl: baseUrl + websitePath,
})

const remoteOf = ({ path }: Endpoint, baseUrl: string) => ({ type: 'streamable-http', url: baseUrl + path })
