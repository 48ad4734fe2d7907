import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { guarded, open } from '../http/guards.ts'
import { refuseOtherMethods } from '../http/other-methods.ts'
import { forAnyOrigin } from '../http/other-origins.ts'
import { sameForAll } from '../http/same-for-all.ts'

/** What browsers run, and by which address. They look once in five minutes whether there is something newer. */
const modules = { '/assets/pages.js': 'pages.js', '/embed.js': 'embed.js' }
const KEPT_FOR = 300

/** The few scripts that pages have, as they are in the repository. */
export function serveAssets(scope: FastifyInstance) {
  for (const [path, name] of Object.entries(modules)) {
    const content = readFileSync(new URL(`browser/${name}`, import.meta.url))
    const script = sameForAll({ type: 'text/javascript; charset=utf-8', content, keptFor: KEPT_FOR })
    const guards = guarded('asset', open('the same few bytes for everybody'))
    // Sites of the business load it as a module, which browsers do with CORS alone.
    scope.get(path, path === '/embed.js' ? forAnyOrigin(guards) : guards, script)
    refuseOtherMethods(scope, path, ['GET'])
  }
}
