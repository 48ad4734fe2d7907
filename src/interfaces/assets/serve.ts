import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { allowAnyOrigin } from '../http/cors.ts'
import { fixedAnswer } from '../http/fixed-response.ts'
import { guarded, refuseOtherMethods, withoutGuard } from '../http/route-guards.ts'
import { demoPictures } from './demo-pictures.ts'

const FIVE_MINUTES = 300
const YEAR = 365 * 24 * 60 * 60

interface Asset {
  path: string
  file: URL
  type: string
  maxAgeSeconds: number
}

const fileOf = (name: string) => new URL(`browser/${name}`, import.meta.url)
const script = (path: string, name: string): Asset => ({
  path,
  file: fileOf(name),
  type: 'text/javascript; charset=utf-8',
  maxAgeSeconds: FIVE_MINUTES,
})

/**
 * Describes a font file that the server serves. Browsers cache the file for a year, so a new version of the font needs
 * a new file name.
 */
const font = (name: string): Asset => ({
  path: `/assets/${name}`,
  file: fileOf(name),
  type: 'font/woff2',
  maxAgeSeconds: YEAR,
})

const assets: Asset[] = [
  script('/assets/pages.js', 'pages.js'),
  script('/embed.js', 'embed.js'),
  font('geist-latin.woff2'),
  font('geist-latin-ext.woff2'),
  ...[...demoPictures].map(([path, file]) => ({ path, file, type: 'image/svg+xml', maxAgeSeconds: FIVE_MINUTES })),
]

export function serveAssets(scope: FastifyInstance) {
  for (const { path, file, type, maxAgeSeconds } of assets) {
    const guards = guarded('asset', withoutGuard('the same few bytes for everybody'))
    const answer = fixedAnswer({ type, content: readFileSync(file), maxAgeSeconds })
    // The website of the business loads `/embed.js` as a module from another origin. Browsers allow this only with CORS
    // headers.
    scope.get(path, path === '/embed.js' ? allowAnyOrigin(guards) : guards, answer)
    refuseOtherMethods(scope, path, ['GET'])
  }
}
