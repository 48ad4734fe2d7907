import { expect, test } from 'vitest'
import { schemaOrgService } from '../../src/interfaces/structured-data/schema-org-service.ts'
import type { Service } from '../../src/protocol/types.generated.ts'
import { businessWith, service, services } from '../support/definitions.ts'
import { testServer } from '../support/server.ts'
import { slowness } from '../support/slowness.ts'

const business = businessWith([]).business
const PAGE = 'https://studio.example/book/svc_a'
const described = (more: object, page: string | undefined = PAGE): Record<string, unknown> => ({
  ...schemaOrgService({ ...service('svc_a'), business_id: 'biz_test', ...more } as Service, business, page),
})

test('[CAT-094] the services can be read as schema.org data', async () => {
  const media = [
    { type: 'image', url: 'https://studio.example/a.jpg' },
    { type: 'video', url: 'https://studio.example/a.mp4' },
  ]
  const server = await testServer(
    businessWith([service('svc_a', { description: 'Calm.', media }), service('svc_b', { status: 'suspended' })]),
  )
  const { status, headers, body } = await server.raw({ url: '/services.jsonld' })
  expect(status).toBe(200)
  expect(headers['content-type']).toMatch(/^application\/ld\+json/)
  const page = `${server.runtime.config.baseUrl}/book/svc_a`
  expect(body['@context']).toBe('https://schema.org')
  expect(body.itemListElement).toEqual([
    expect.objectContaining({
      '@type': 'Service',
      identifier: 'svc_a',
      name: 'Service svc_a',
      description: 'Calm.',
      serviceType: 'Appointment',
      image: ['https://studio.example/a.jpg'],
      video: [{ '@type': 'VideoObject', contentUrl: 'https://studio.example/a.mp4' }],
      offers: { '@type': 'Offer', url: page, price: '75.00', priceCurrency: 'USD' },
      potentialAction: expect.objectContaining({ '@type': 'ReserveAction' }),
    }),
  ])
})

test('[no single request stalls the server] a large catalogue is told at little cost, once for all who ask within a minute', async () => {
  const heavy = services(100, { metadata: { story: Array.from({ length: 6_000 }, (_, chapter) => ({ chapter })) } })
  const server = await testServer(businessWith(heavy))
  const ask = () => server.raw({ url: '/services.jsonld' })
  await server.raw({ url: '/book' })
  const before = process.threadCpuUsage()
  const [one, two] = await Promise.all([ask(), ask()])
  const { user, system } = process.threadCpuUsage(before)
  expect((user + system) / 1000).toBeLessThan(100 * slowness())
  expect([one.body.itemListElement.length, two.body]).toEqual([100, one.body])
  await server.apply(businessWith(heavy.slice(1)))
  await server.runtime.business.seenBy(server.runtime.db)
  expect((await ask()).body.itemListElement).toHaveLength(99)
})

test.each([
  ['fixed', 7500, 'USD', { price: '75.00' }],
  ['fixed', 7500, 'JPY', { price: '7500' }],
  ['fixed', 7500, 'KWD', { price: '7.500' }],
  [
    'hourly',
    6000,
    'USD',
    {
      priceSpecification: { '@type': 'UnitPriceSpecification', price: '60.00', priceCurrency: 'USD', unitCode: 'HUR' },
    },
  ],
  [
    'per_person',
    2500,
    'USD',
    { priceSpecification: { '@type': 'UnitPriceSpecification', price: '25.00', priceCurrency: 'USD', unitCode: 'IE' } },
  ],
  ['free', undefined, 'USD', { price: '0.00' }],
])('[CAT-095] a %s price of %s %s is written as schema.org writes it', (model, amount, currency, expected) => {
  const { offers } = described({ pricing: { model, currency, ...(amount !== undefined && { amount }) } })
  expect(offers).toMatchObject({ ...expected, priceCurrency: currency })
})

test('[CAT-096] a service at the buyer’s place names its area and no address', () => {
  const channel = { type: 'at_buyer_location', service_area: 'Manhattan' }
  expect(described({ type: 'field_service', channel })).toMatchObject({ areaServed: 'Manhattan' })
  expect(described({ channel: { type: 'phone' } })).not.toHaveProperty('areaServed')
})

test('[CAT-095] a varying price is a compound of its least and its most', () => {
  const priced = (pricing: object) => described({ pricing: { model: 'variable', currency: 'USD', ...pricing } }).offers
  const priceSpecification = { '@type': 'CompoundPriceSpecification', priceCurrency: 'USD', minPrice: '40.00' }
  expect(priced({ amount: 4000 })).toMatchObject({ priceSpecification })
  expect(priced({ price_range: { min: 4000, max: 9000 } })).toEqual({
    '@type': 'Offer',
    url: PAGE,
    priceCurrency: 'USD',
    priceSpecification: { ...priceSpecification, maxPrice: '90.00' },
  })
})

test('[CAT-097] how many may come and the next free day are told', () => {
  const hint = { summary: 'Soon', generated_at: '2026-11-20T12:00:00Z', next_available_date: '2026-11-24' }
  const told = { eligibleQuantity: { '@type': 'QuantitativeValue', maxValue: 8 }, availabilityStarts: '2026-11-24' }
  for (const type of ['group', 'reservation']) {
    const shared = described({ type, capacity: { max: 8 }, availability_hint: hint })
    expect(shared.offers).toMatchObject(told)
    expect(shared.maximumAttendeeCapacity).toBe(8)
  }
  const alone = described({ capacity: { max: 8 } })
  expect(alone).not.toHaveProperty('maximumAttendeeCapacity')
  expect(alone.offers).not.toHaveProperty('eligibleQuantity')
  expect(described({ type: 'group' }).offers).not.toHaveProperty('eligibleQuantity')
})

test('a virtual service is online only, and others name their places', () => {
  const virtual = described({ channel: { type: 'virtual' } })
  expect(virtual.availableChannel).toEqual([{ '@type': 'ServiceChannel', serviceType: 'OnlineOnly' }])
  expect(virtual.offers).toMatchObject({
    availability: 'https://schema.org/OnlineOnly',
    availableDeliveryMethod: expect.stringContaining('DeliveryModeDirectDownload'),
  })
  const placed = described({ locations: [{ id: 'loc_a', name: 'Main', address: 'Main Street 1' }] })
  expect(placed.availableChannel).toEqual([
    { '@type': 'ServiceChannel', serviceLocation: { '@type': 'Place', name: 'Main', address: 'Main Street 1' } },
  ])
  expect(placed.offers).not.toHaveProperty('availability')
})

test.each([
  [{ allowed: false }, 'Cannot be canceled.'],
  [{ allowed: true }, 'Canceling is free.'],
  [
    { allowed: true, free_cancellation_until: 'PT24H', late_cancellation_fee: 2000, no_cancellation_after: 'PT2H' },
    'Canceling is free until 1 day before the start; later it costs $20.00. It cannot be canceled later than 2 hr before the start.',
  ],
])('the cancellation policy %j is a sentence', (cancellation, sentence) => {
  expect(described({ policies: { ...service('svc_a').policies, cancellation } }).cancellationPolicy).toBe(sentence)
})

test('a service that is booked on a page says so by a ReserveAction, and only then', () => {
  expect(described({})).toMatchObject({
    offers: { url: PAGE },
    potentialAction: { '@type': 'ReserveAction', target: { '@type': 'EntryPoint', urlTemplate: PAGE } },
  })
  const { offers, ...hidden } = schemaOrgService(
    { ...service('svc_a'), business_id: 'biz' } as Service,
    business,
    undefined,
  ) as Record<string, object>
  expect(hidden).not.toHaveProperty('potentialAction')
  expect(offers).not.toHaveProperty('url')
})

test('services that the pages do not show have no page in the list', async () => {
  const shown = async (website: object) => {
    const server = await testServer(businessWith([service('svc_a'), service('svc_b')], { website }))
    const { body } = await server.raw({ url: '/services.jsonld' })
    return body.itemListElement.map((one: { potentialAction?: object }) => one.potentialAction !== undefined)
  }
  expect(await shown({ services: ['svc_b'] })).toEqual([false, true])
  expect(await shown({ enabled: false })).toEqual([false, false])
})
