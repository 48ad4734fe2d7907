import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import type { OpenAPIV3 } from 'openapi-types'
import { remember } from '../../basics/remember.ts'
import type { Operation } from '../../protocol/operation.ts'
import { documents, ORIGIN, selfContained } from '../../protocol/schemas.ts'
import { guarded, open } from '../http/guards.ts'
import { JSON_TYPE } from '../http/http-basics.ts'
import { refuseOtherMethods } from '../http/other-methods.ts'
import { openapi } from './openapi.ts'
import { openrpc } from './openrpc.ts'

/**
 * What is described, and its words: anybody may ask for these, and they are large. Whoever opens several servers in one
 * process, as tests do, makes them once.
 */
const describe = remember(2, (operations: Operation[]) => {
  const rest = openapi(operations)
  const made: [string, object][] = [
    ['openapi/usp-rest.json', rest],
    ['openrpc/usp-mcp.json', openrpc(operations)],
    ...[...documents.values()].map((document): [string, object] => [pathOf(document.$id), selfContained(document)]),
  ]
  return { rest, served: new Map(made.map(([path, document]) => [path, JSON.stringify(document)])) }
})

/** The descriptions of the server, for people at /docs and for machines under /schemas. */
export async function serveDocuments(app: FastifyInstance, operations: Operation[]) {
  const { rest, served } = describe(operations)
  const fixed = guarded('other', open('put into words once'))
  app.get<{ Params: { '*': string } }>('/schemas/*', fixed, async (request, reply) => {
    const document = served.get(request.params['*'])
    if (!document) return reply.callNotFound()
    return reply.type(JSON_TYPE).header('cache-control', 'public, max-age=3600').send(document)
  })
  refuseOtherMethods(app, '/schemas/*', ['GET'])

  await app.register(async (scope) => {
    // Its routes are files and know of no guards.
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, ...fixed.config }
    })
    await explorer(scope, rest)
  })
}

/** A form to try each operation. The plugin's types know OpenAPI 3.0 alone; it serves any document as it is. */
async function explorer(app: FastifyInstance, document: object) {
  await app.register(swagger, { mode: 'static', specification: { document: document as OpenAPIV3.Document } })
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    uiHooks: {
      // Nobody is sent there, and the whole would be put into words on demand, while everybody else waits.
      onRequest: async (request, reply) => {
        if (request.routeOptions.url === '/docs/yaml') return reply.callNotFound()
      },
    },
    staticCSP:
      "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'",
    theme: { css: [{ filename: 'plain.css', content: '.swagger-ui .topbar { display: none !important }' }] },
    uiConfig: { tryItOutEnabled: true, supportedSubmitMethods: ['get', 'post', 'put', 'delete'] },
  })
}

const pathOf = (id: string) => (id.startsWith(ORIGIN) ? id.slice(ORIGIN.length) : `${id.replace(/^.*:/, '')}.json`)
