import type { FastifyInstance } from 'fastify'
import { isOpenToBrowsers } from '../../core/business/definition-facts.ts'
import { CACHE_SECONDS } from '../../domain/catalog/page-limits.ts'
import { serviceCatalogue } from '../../domain/catalog/queries.ts'
import type { Database } from '../../infra/db/database.ts'
import { isTimeSliceUsed, yieldToEventLoop } from '../../infra/util/yield-to-event-loop.ts'
import type { CountingDependencies } from '../../pipeline/limit-calls-per-caller.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { allowAnyOrigin } from '../http/cors.ts'
import { guarded, rateLimited, refuseOtherMethods } from '../http/route-guards.ts'
import { PUBLISHED, schemaOrgService } from './schema-org-service.ts'

/** Serves the catalog as schema.org data for search engines, because search engines do not call operations. */
export function serveStructuredData(app: FastifyInstance, dependencies: CountingDependencies & Dependencies<'config'>) {
  const { db, business, config } = dependencies
  let cached: { definition: BusinessDefinition; until: number; text: Promise<Buffer> } | undefined
  app.get(
    '/services.jsonld',
    allowAnyOrigin(guarded('structuredData', rateLimited(dependencies, 'services'))),
    async (_, reply) => {
      const definition = await business.get()
      if (!definition) return reply.callNotFound()
      // The server and its clients cache the text of the catalog for the same time. The first request after this time
      // creates the text anew.
      if (cached?.definition !== definition || performance.now() >= cached.until) {
        const text = catalogueText(definition, db, config.baseUrl)
        const mine = { definition, until: performance.now() + CACHE_SECONDS * 1000, text }
        cached = mine
        text.catch(() => {
          if (cached === mine) cached = undefined
        })
      }
      return reply
        .header('cache-control', `public, max-age=${CACHE_SECONDS}`)
        .type('application/ld+json')
        .send(await cached.text)
    },
  )
  refuseOtherMethods(app, '/services.jsonld', ['GET'])
}

async function catalogueText(definition: BusinessDefinition, db: Database, baseUrl: string): Promise<Buffer> {
  const { business, website } = definition
  const pageOf = (id: string) =>
    isOpenToBrowsers(definition) && (website?.services?.includes(id) ?? true) ? `${baseUrl}/book/${id}` : undefined
  const parts: string[] = []
  for (const service of await serviceCatalogue(db, PUBLISHED)) {
    parts.push(JSON.stringify(schemaOrgService(service, business, pageOf(service.id))))
    if (isTimeSliceUsed()) await yieldToEventLoop()
  }
  const head = { '@context': 'https://schema.org', '@type': 'OfferCatalog', name: business.name }
  return Buffer.from(`${JSON.stringify(head).slice(0, -1)},"itemListElement":[${parts.join()}]}`)
}
