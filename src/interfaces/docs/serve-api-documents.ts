import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { memoize, once } from '../../infra/util/memoize.ts'
import type { CountingDependencies } from '../../pipeline/limit-calls-per-caller.ts'
import type { Operation } from '../../protocol/define-operation.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { documents, ORIGIN, selfContained } from '../../protocol/json-schemas.ts'
import { allowAnyOrigin } from '../http/cors.ts'
import { type FixedAnswer, fixedAnswer } from '../http/fixed-response.ts'
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
 * Builds the documents that describe the operations for programs: OpenAPI, OpenRPC and the schemas. Each document is
 * built at its first request, because all of them together would delay the start of the server. The result is cached,
 * because tests start several servers in one process.
 */
const describe = memoize(2, (operations: Operation[]) => {
  const files: [string, () => object][] = [
    [REST, () => openapi(operations)],
    ['openapi/usp-rest-3.0.json', () => inOpenapi30(openapi(operations))],
    ...[...documents.values()].map((document): [string, () => object] => [
      pathOf(document.$id),
      () => selfContained(document),
    ]),
  ]
  return {
    served: new Map(files.map(([path, build]) => [path, serializedLater(build)])),
    tools: memoize(2, (baseUrl: string) => serialized(openrpc(operations, baseUrl))),
  }
})

const serialized = (document: object) =>
  fixedAnswer({ type: JSON_TYPE, content: JSON.stringify(document), maxAgeSeconds: CACHE_SECONDS })

/** Returns a handler that builds its document at the first request. */
function serializedLater(build: () => object): FixedAnswer {
  const answer = once(() => serialized(build()))
  return (request, reply) => answer()(request, reply)
}

/**
 * Serves the documentation: the guides at `/docs`, the API reference at `/docs/api`, and the documents for programs at
 * `/schemas`.
 */
export async function serveDocuments(app: FastifyInstance, dependencies: DocumentDependencies) {
  const { served, tools } = describe(dependencies.operations)
  const fixed = guarded('other', withoutGuard('put into words once'))
  app.get<{ Params: { '*': string } }>('/schemas/*', allowAnyOrigin(fixed), async (request, reply) => {
    const path = request.params['*']
    const document = path === TOOLS ? tools(dependencies.config.baseUrl) : served.get(path)
    return document ? document(request, reply) : reply.callNotFound()
  })
  refuseOtherMethods(app, '/schemas/*', ['GET'])

  serveSite(app, dependencies)
  serveReference(app, served)
}

const browserFile = (name: string, type: string) =>
  fixedAnswer({
    type: `${type}; charset=utf-8`,
    content: readFileSync(new URL(`browser/${name}`, import.meta.url)),
    maxAgeSeconds: CACHE_SECONDS,
  })

/** The folder with the scripts and styles of Swagger UI. The build copies this folder into the npm package. */
const SWAGGER_UI = new URL('static/', import.meta.resolve('@fastify/swagger-ui'))

const REFERENCE_CSP =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'"

function serveReference(app: FastifyInstance, served: ReadonlyMap<string, FixedAnswer>) {
  const route = guarded('other', withoutGuard('the same for every caller, in memory'))
  const page = browserFile('api-reference.html', 'text/html')
  for (const path of ['/docs/api', '/docs/api/'])
    app.get(path, route, (request, reply) => page(request, reply.header('content-security-policy', REFERENCE_CSP)))
  app.get('/docs/api/api-reference.js', route, browserFile('api-reference.js', 'text/javascript'))
  app.get('/docs/api/json', route, served.get(REST) as FixedAnswer)
  app.get('/docs/api/static/*', route, folderFiles(SWAGGER_UI))
}

const pathOf = (id: string) => (id.startsWith(ORIGIN) ? id.slice(ORIGIN.length) : `${id.replace(/^.*:/, '')}.json`)
