import type { FastifyInstance } from 'fastify'
import { isOpenToBrowsers } from '../../core/business/definition-facts.ts'
import { html } from '../../infra/util/html-template.ts'
import type { CountingDependencies } from '../../pipeline/limit-calls-per-caller.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { shownPlans } from '../booking-flow/listed-services.ts'
import { guarded, rateLimited, refuseOtherMethods } from '../http/route-guards.ts'
import { ICON_PATHS, iconOf } from '../pages/site-icon.ts'

const CACHE = 'public, max-age=3600'

/**
 * The paths that search engines must not read: personal pages, and pages that need an earlier choice of the visitor.
 */
const NOT_FOR_CRAWLERS = [
  '/account',
  '/booking/',
  '/book/*/details',
  '/book/*/waitlist',
  '/desk',
  '/my',
  '/usp/',
  '/waiting/',
]

type Definition = BusinessDefinition | undefined

/** Serves the files at the root of the site: `robots.txt`, `sitemap.xml` and the icons. */
export function serveSiteFiles(scope: FastifyInstance, dependencies: CountingDependencies & Dependencies<'config'>) {
  const { business, config } = dependencies
  const file = (path: string, type: string, contentOf: (definition: Definition) => string | undefined) => {
    scope.get(path, guarded('siteFile', rateLimited(dependencies, 'page')), async (_, reply) => {
      const content = contentOf(await business.get())
      if (content === undefined) return reply.callNotFound()
      return reply.header('cache-control', CACHE).type(type).send(content)
    })
    refuseOtherMethods(scope, path, ['GET'])
  }
  file('/robots.txt', 'text/plain; charset=utf-8', (definition) => robots(definition, config.baseUrl))
  file('/sitemap.xml', 'application/xml; charset=utf-8', (definition) => sitemap(definition, config.baseUrl))
  for (const path of ICON_PATHS) file(path, 'image/svg+xml', iconOf)
}

function robots(definition: Definition, baseUrl: string): string {
  const rules = ['User-agent: *', ...NOT_FOR_CRAWLERS.map((path) => `Disallow: ${path}`)]
  const map = definition && isOpenToBrowsers(definition) ? ['', `Sitemap: ${baseUrl}/sitemap.xml`] : []
  return `${[...rules, ...map].join('\n')}\n`
}

function sitemap(definition: Definition, baseUrl: string): string | undefined {
  if (!definition || !isOpenToBrowsers(definition)) return undefined
  const pages = ['/book', ...shownPlans(definition).map(({ service }) => `/book/${service.id}`)]
  return html`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${pages.map(
  (page) => html`<url><loc>${baseUrl}${page}</loc></url>
`,
)}</urlset>
`.text
}
