import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { guarded, open } from '../http/guards.ts'
import { refuseOtherMethods } from '../http/other-methods.ts'
import { forAnyOrigin } from '../http/other-origins.ts'
import { sameForAll } from '../http/same-for-all.ts'

/** Scripts by path. Browsers check for a new version after five minutes. */
const modules = { '/assets/pages.js': 'pages.js', '/embed.js': 'embed.js' }
const KEPT_FOR = 300

export function serveAssets(scope: FastifyInstance) {
  for (const [path, name] of Object.entries(modules)) {
    const content = readFileSync(new URL(`browser/${name}`, import.meta.url))
    const script = sameForAll({ type: 'text/javascript; charset=utf-8', content, keptFor: KEPT_FOR })
    const guards = guarded('asset', open('the same few bytes for everybody'))
    // Websites of the business load it as a module, which requires CORS.
    scope.get(path, path === '/embed.js' ? forAnyOrigin(guards) : guards, script)
    refuseOtherMethods(scope, path, ['GET'])
  }
}
