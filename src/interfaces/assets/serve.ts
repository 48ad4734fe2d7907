import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { allowAnyOrigin } from '../http/cors.ts'
import { fixedAnswer } from '../http/fixed-response.ts'
import { guarded, refuseOtherMethods, withoutGuard } from '../http/route-guards.ts'

/** Maps the URL path of each browser script to its file. Browsers keep a script in the cache for five minutes. */
const scripts = { '/assets/pages.js': 'pages.js', '/embed.js': 'embed.js' }
const SCRIPT_CACHE_SECONDS = 300

/**
 * The font files. Browsers load the second file only for letters such as the Polish ą. The files never change, so
 * browsers keep them for a year. A new version of the font needs new file names.
 */
const fonts = ['geist-latin.woff2', 'geist-latin-ext.woff2']
const FONT_CACHE_SECONDS = 365 * 24 * 60 * 60

export function serveAssets(scope: FastifyInstance) {
  const guards = guarded('asset', withoutGuard('the same few bytes for everybody'))
  const read = (name: string) => readFileSync(new URL(`browser/${name}`, import.meta.url))
  for (const [path, name] of Object.entries(scripts)) {
    const type = 'text/javascript; charset=utf-8'
    const script = fixedAnswer({ type, content: read(name), maxAgeSeconds: SCRIPT_CACHE_SECONDS })
    // The website of the business loads `/embed.js` as a module from another origin. Browsers allow this only with CORS
    // headers.
    scope.get(path, path === '/embed.js' ? allowAnyOrigin(guards) : guards, script)
    refuseOtherMethods(scope, path, ['GET'])
  }
  for (const name of fonts) {
    const path = `/assets/${name}`
    scope.get(path, guards, fixedAnswer({ type: 'font/woff2', content: read(name), maxAgeSeconds: FONT_CACHE_SECONDS }))
    refuseOtherMethods(scope, path, ['GET'])
  }
}
