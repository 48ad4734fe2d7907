import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { guarded, open } from '../http/guards.ts'
import { refuseOtherMethods } from '../http/other-methods.ts'
import { isKnown } from '../rest/rest.ts'

/** What browsers run, and by which address. They look once in five minutes whether there is something newer. */
const modules = { '/assets/pages.js': 'pages.js', '/embed.js': 'embed.js' }
const KEPT = 'public, max-age=300'

/** The few scripts that pages have, as they are in the repository. */
export function serveAssets(scope: FastifyInstance) {
  for (const [path, name] of Object.entries(modules)) {
    const text = readFileSync(new URL(`browser/${name}`, import.meta.url), 'utf8')
    const etag = `"${hash('sha256', text, 'base64url')}"`
    scope.get(path, guarded('asset', open('the same few bytes for everybody')), async (request, reply) => {
      reply.headers({ 'cache-control': KEPT, etag })
      if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send()
      return reply.type('text/javascript; charset=utf-8').send(text)
    })
    refuseOtherMethods(scope, path, ['GET'])
  }
}
