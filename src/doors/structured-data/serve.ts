import type { FastifyInstance } from 'fastify'
import { isShareUsed, letOthers } from '../../basics/long-work.ts'
import { omitUndefined } from '../../basics/omit-undefined.ts'
import { decimal } from '../../catalog/describe.ts'
import { CACHE_SECONDS } from '../../catalog/limits.ts'
import { plainDescription } from '../../catalog/plain-description.ts'
import { serviceCatalogue } from '../../catalog/queries.ts'
import type { Database } from '../../db/database.ts'
import type { CountingMeans } from '../../pipeline/check-rate.ts'
import type { BusinessDefinition, Service } from '../../protocol/types.generated.ts'
import { counted, guarded } from '../http/guards.ts'
import { refuseOtherMethods } from '../http/other-methods.ts'

/** The catalogue as schema.org data, for search engines that never call an operation. */
export function serveStructuredData(app: FastifyInstance, means: CountingMeans) {
  const { db, business } = means
  let kept: { of: BusinessDefinition; until: number; text: Promise<Buffer> } | undefined
  app.get('/services.jsonld', guarded('structuredData', counted(means, 'services')), async (_, reply) => {
    const definition = await business.get()
    if (!definition) return reply.callNotFound()
    // Whoever asks may keep it as long: of all who ask in that time the first has it made.
    if (kept?.of !== definition || performance.now() >= kept.until) {
      const text = catalogueText(definition, db)
      const mine = { of: definition, until: performance.now() + CACHE_SECONDS * 1000, text }
      kept = mine
      text.catch(() => {
        if (kept === mine) kept = undefined
      })
    }
    return reply
      .header('cache-control', `public, max-age=${CACHE_SECONDS}`)
      .type('application/ld+json')
      .send(await kept.text)
  })
  refuseOtherMethods(app, '/services.jsonld', ['GET'])
}

async function catalogueText({ business }: BusinessDefinition, db: Database): Promise<Buffer> {
  const parts: string[] = []
  for (const service of await serviceCatalogue(db, TOLD)) {
    parts.push(JSON.stringify(schemaOrgService(service, business)))
    if (isShareUsed()) await letOthers()
  }
  const head = { '@context': 'https://schema.org', '@type': 'OfferCatalog', name: business.name }
  return Buffer.from(`${JSON.stringify(head).slice(0, -1)},"itemListElement":[${parts.join()}]}`)
}

const TOLD = [
  ...(['id', 'name', 'description', 'type', 'url', 'media', 'channel'] as const),
  ...(['locations', 'pricing', 'capacity', 'availability_hint'] as const),
] as const
type Told = Pick<Service, (typeof TOLD)[number]>

export function schemaOrgService(service: Told, business: BusinessDefinition['business']) {
  const { channel, media = [], locations = [], availability_hint: hint } = service
  const images = media.filter(({ type }) => type === 'image').map(({ url }) => url)
  const places = locations.map(({ name, address }) => omitUndefined({ '@type': 'Place', name, address }))
  return omitUndefined({
    '@type': 'Service',
    identifier: service.id,
    name: service.name,
    description: plainDescription(service),
    serviceType: words[service.type] ?? service.type,
    url: service.url,
    image: images.length > 0 ? images : undefined,
    provider: omitUndefined({ '@type': 'LocalBusiness', name: business.name, url: business.url }),
    areaServed: channel.type === 'at_buyer_location' ? channel.service_area : undefined,
    availableChannel:
      places.length > 0 ? places.map((serviceLocation) => ({ '@type': 'ServiceChannel', serviceLocation })) : undefined,
    offers: offerOf(service, hint?.next_available_date),
  })
}

function offerOf({ type, pricing, capacity }: Told, availabilityStarts: string | undefined) {
  const { model, amount = model === 'free' ? 0 : undefined, currency: priceCurrency } = pricing
  const price = amount === undefined ? undefined : decimal(amount, priceCurrency)
  const unit = { hourly: 'HUR', per_person: 'IE' }[String(model)]
  const specification = { '@type': 'UnitPriceSpecification', price, priceCurrency, unitCode: unit }
  return omitUndefined({
    '@type': 'Offer',
    price,
    priceCurrency,
    priceSpecification: unit ? specification : undefined,
    eligibleQuantity: ['group', 'reservation'].includes(type) ? people(capacity?.max) : undefined,
    availabilityStarts,
  })
}

/** To schema.org events and places alone have a `maximumAttendeeCapacity`; an offer is for so and so many. */
const people = (maxValue: number | undefined) =>
  maxValue === undefined ? undefined : { '@type': 'QuantitativeValue', maxValue, unitText: 'people' }

const words: Record<string, string> = {
  appointment: 'Appointment',
  group: 'Class',
  reservation: 'Reservation',
  rental: 'Rental',
  field_service: 'Service at your place',
}
