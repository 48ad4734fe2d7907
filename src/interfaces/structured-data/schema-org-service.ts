import { cancellationTerms, decimalAmount } from '../../domain/catalog/describe-service.ts'
import { plainDescription } from '../../domain/catalog/localized-texts.ts'
import { omitUndefined } from '../../infra/util/object-members.ts'
import type { BusinessDefinition, Service } from '../../protocol/types.generated.ts'

export const PUBLISHED = [
  ...(['id', 'name', 'description', 'type', 'url', 'media', 'channel', 'policies'] as const),
  ...(['locations', 'pricing', 'capacity', 'availability_hint'] as const),
] as const
type Published = Pick<Service, (typeof PUBLISHED)[number]>

/**
 * Converts a service to schema.org data (section 3.2.1 of the protocol). The data contain the URL of the page on which
 * people book the service.
 */
export function schemaOrgService(
  service: Published,
  business: BusinessDefinition['business'],
  page: string | undefined,
): object {
  const { type, channel, media = [], capacity, policies, pricing } = service
  const images = media.filter((one) => one.type === 'image').map(({ url }) => url)
  const videos = media
    .filter((one) => one.type === 'video')
    .map(({ url }) => ({ '@type': 'VideoObject', contentUrl: url }))
  return omitUndefined({
    '@type': 'Service',
    identifier: service.id,
    name: service.name,
    description: plainDescription(service),
    serviceType: words[type] ?? type,
    url: service.url,
    image: unlessEmpty(images),
    video: unlessEmpty(videos),
    provider: omitUndefined({ '@type': 'LocalBusiness', name: business.name, url: business.url }),
    areaServed: channel.type === 'at_buyer_location' ? channel.service_area : undefined,
    availableChannel: unlessEmpty(channelsOf(service)),
    maximumAttendeeCapacity: isShared(type) ? capacity?.max : undefined,
    cancellationPolicy: [...cancellationTerms(policies.cancellation, pricing.currency)].join(' '),
    offers: offerOf(service, page),
    potentialAction: page === undefined ? undefined : reserveAction(service, page),
  })
}

const unlessEmpty = <T>(list: readonly T[]) => (list.length > 0 ? list : undefined)
const isShared = (type: string) => type === 'group' || type === 'reservation'

function channelsOf({ channel, locations = [] }: Published): object[] {
  if (channel.type === 'virtual') return [{ '@type': 'ServiceChannel', serviceType: 'OnlineOnly' }]
  return locations.map(({ name, address }) => ({
    '@type': 'ServiceChannel',
    serviceLocation: omitUndefined({ '@type': 'Place', name, address }),
  }))
}

function offerOf({ type, channel, pricing, capacity, availability_hint }: Published, url: string | undefined) {
  const { model, amount = model === 'free' ? 0 : undefined, currency: priceCurrency } = pricing
  const isVirtual = channel.type === 'virtual'
  return omitUndefined({
    '@type': 'Offer',
    url,
    price: amount === undefined ? undefined : decimalAmount(amount, priceCurrency),
    priceCurrency,
    priceSpecification: priceSpecification(pricing),
    eligibleQuantity: isShared(type) ? people(capacity?.max) : undefined,
    availability: isVirtual ? 'https://schema.org/OnlineOnly' : undefined,
    availableDeliveryMethod: isVirtual ? 'http://purl.org/goodrelations/v1#DeliveryModeDirectDownload' : undefined,
    availabilityStarts: availability_hint?.next_available_date,
  })
}

function priceSpecification({ model, amount, currency: priceCurrency, price_range: range }: Published['pricing']) {
  const price = amount === undefined ? undefined : decimalAmount(amount, priceCurrency)
  const unitCode = { hourly: 'HUR', per_person: 'IE' }[String(model)]
  if (unitCode) return omitUndefined({ '@type': 'UnitPriceSpecification', price, priceCurrency, unitCode })
  if (model !== 'variable') return undefined
  return omitUndefined({
    '@type': 'CompoundPriceSpecification',
    priceCurrency,
    minPrice: range ? decimalAmount(range.min, priceCurrency) : price,
    maxPrice: range && decimalAmount(range.max, priceCurrency),
  })
}

const people = (maxValue: number | undefined) =>
  maxValue === undefined ? undefined : { '@type': 'QuantitativeValue', maxValue, unitText: 'people' }

const reserveAction = ({ name }: Published, urlTemplate: string) => ({
  '@type': 'ReserveAction',
  target: {
    '@type': 'EntryPoint',
    urlTemplate,
    actionPlatform: ['https://schema.org/DesktopWebPlatform', 'https://schema.org/MobileWebPlatform'],
  },
  result: { '@type': 'Reservation', name },
})

const words: Record<string, string> = {
  appointment: 'Appointment',
  group: 'Class',
  reservation: 'Reservation',
  rental: 'Rental',
  field_service: 'Service at your place',
}
