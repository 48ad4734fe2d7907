import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyContextConfig, FastifyInstance, RouteHandlerMethod } from 'fastify'
import type { OpenAPIV3 } from 'openapi-types'
import { memoize } from '../../infra/util/memoize.ts'
import type { CountingDependencies } from '../../pipeline/limit-calls-per-caller.ts'
import type { Operation } from '../../protocol/define-operation.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { documents, ORIGIN, selfContained } from '../../protocol/json-schemas.ts'
import { allowAnyOrigin } from '../http/cors.ts'
import { fixedAnswer } from '../http/fixed-response.ts'
import { JSON_TYPE } from '../http/request-defaults.ts'
import { guarded, refuseOtherMethods, withoutGuard } from '../http/route-guards.ts'
import { inOpenapi30 } from './convert-to-openapi-3-0.ts'
import { openapi } from './openapi.ts'
import { openrpc } from './openrpc.ts'
import { folderFiles } from './serve-folder-files.ts'
import { serveSite } from './site/serve.ts'

const CACHE_SECONDS = 3600
const REST = 'openapi/usp-rest.json'
const TOOLS = 'openrpc/usp-mcp.json'

type DocumentDependencies = Dependencies<'config'> & CountingDependencies & { operations: Operation[] }

/**
 * Builds the OpenAPI, OpenRPC and schema documents as JSON text. The results are cached, because tests start several
 * servers in one process.
 */
const describe = memoize(2, (operations: Operation[]) => {
  const rest = openapi(operations)
  const files: [string, object][] = [
    [REST, rest],
    ['openapi/usp-rest-3.0.json', inOpenapi30(rest)],
    ...[...documents.values()].map((document): [string, object] => [pathOf(document.$id), selfContained(document)]),
  ]
  return {
    rest,
    served: new Map(files.map(([path, document]) => [path, serialized(document)])),
    tools: memoize(2, (baseUrl: string) => serialized(openrpc(operations, baseUrl))),
  }
})

const serialized = (document: object) =>
  fixedAnswer({ type: JSON_TYPE, content: JSON.stringify(document), maxAgeSeconds: CACHE_SECONDS })

/**
 * Serves the documentation: the guides at `/docs`, the API reference at `/docs/api`, and the documents for programs at
 * `/schemas`.
 */
export async function serveDocuments(app: FastifyInstance, dependencies: DocumentDependencies) {
  const { rest, served, tools } = describe(dependencies.operations)
  const fixed = guarded('other', withoutGuard('put into words once'))
  app.get<{ Params: { '*': string } }>('/schemas/*', allowAnyOrigin(fixed), async (request, reply) => {
    const path = request.params['*']
    const document = path === TOOLS ? tools(dependencies.config.baseUrl) : served.get(path)
    return document ? document(request, reply) : reply.callNotFound()
  })
  refuseOtherMethods(app, '/schemas/*', ['GET'])

  serveSite(app, dependencies)
  await app.register((scope) => explorer(scope, rest, served.get(REST) as RouteHandlerMethod, fixed.config))
}

/**
 * Serves the API reference with Swagger UI. The types of the plugin know only OpenAPI 3.0, so the code casts the
 * document. The cast is safe, because the plugin serves any document unchanged.
 */
async function explorer(
  app: FastifyInstance,
  document: object,
  inWords: RouteHandlerMethod,
  config: FastifyContextConfig,
) {
  const replacements: Record<string, RouteHandlerMethod> = {
    '/docs/api/json': inWords,
    '/docs/api/static/*': folderFiles(new URL('static/', import.meta.resolve('@fastify/swagger-ui'))),
    // Answers "not found" to requests for the API document as YAML. The plugin would create the YAML text for each
    // request and block the event loop.
    '/docs/api/yaml': (_, reply) => reply.callNotFound(),
  }
  // The routes of the Swagger UI plugin have no guards (access checks), so this hook adds guards. The hook also
  // replaces some handlers of the plugin, because these handlers repeat their work for each request.
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, ...config }
    route.handler = replacements[route.url] ?? route.handler
  })
  await app.register(swagger, { mode: 'static', specification: { document: document as OpenAPIV3.Document } })
  await app.register(swaggerUi, {
    routePrefix: '/docs/api',
    staticCSP:
      "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'",
    theme: { css: [{ filename: 'plain.css', content: '.swagger-ui .topbar { display: none !important }' }] },
    uiConfig: { tryItOutEnabled: true, supportedSubmitMethods: ['get', 'post', 'put', 'delete'] },
  })
}

const pathOf = (id: string) => (id.startsWith(ORIGIN) ? id.slice(ORIGIN.length) : `${id.replace(/^.*:/, '')}.json`)
