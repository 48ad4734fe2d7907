import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { allowAnyOrigin } from '../http/cors.ts'
import { fixedAnswer } from '../http/fixed-response.ts'
import { guarded, refuseOtherMethods, withoutGuard } from '../http/route-guards.ts'

/** Maps the URL path of each browser script to its file. Browsers keep a script in the cache for five minutes. */
const modules = { '/assets/pages.js': 'pages.js', '/embed.js': 'embed.js' }
const CACHE_SECONDS = 300

export function serveAssets(scope: FastifyInstance) {
  for (const [path, name] of Object.entries(modules)) {
    const content = readFileSync(new URL(`browser/${name}`, import.meta.url))
    const script = fixedAnswer({ type: 'text/javascript; charset=utf-8', content, maxAgeSeconds: CACHE_SECONDS })
    const guards = guarded('asset', withoutGuard('the same few bytes for everybody'))
    // The website of the business loads `/embed.js` as a module from another origin. Browsers allow this only with CORS
    // headers.
    scope.get(path, path === '/embed.js' ? allowAnyOrigin(guards) : guards, script)
    refuseOtherMethods(scope, path, ['GET'])
  }
}
