import { expect, test } from 'vitest'
import { schemaOrgService } from '../../src/doors/structured-data/serve.ts'
import type { Service } from '../../src/protocol/types.generated.ts'
import { businessWith, service, services } from '../support/definitions.ts'
import { testServer } from '../support/server.ts'
import { slowness } from '../support/slowness.ts'

const business = businessWith([]).business
const described = (more: object) =>
  schemaOrgService({ ...service('svc_a'), business_id: 'biz_test', ...more } as Service, business)

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
  expect(body['@context']).toBe('https://schema.org')
  expect(body.itemListElement).toEqual([
    expect.objectContaining({
      '@type': 'Service',
      identifier: 'svc_a',
      name: 'Service svc_a',
      description: 'Calm.',
      serviceType: 'Appointment',
      image: ['https://studio.example/a.jpg'],
      offers: { '@type': 'Offer', price: '75.00', priceCurrency: 'USD' },
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

test('[CAT-097] how many may come and the next free day are told, in words that schema.org has for them', () => {
  const hint = { summary: 'Soon', generated_at: '2026-11-20T12:00:00Z', next_available_date: '2026-11-24' }
  const told = { eligibleQuantity: { '@type': 'QuantitativeValue', maxValue: 8 }, availabilityStarts: '2026-11-24' }
  for (const type of ['group', 'reservation']) {
    const shared = described({ type, capacity: { max: 8 }, availability_hint: hint })
    expect(shared.offers).toMatchObject(told)
    // Events and places have it, a Service does not.
    expect(shared).not.toHaveProperty('maximumAttendeeCapacity')
  }
  expect(described({ capacity: { max: 8 } }).offers).not.toHaveProperty('eligibleQuantity')
  expect(described({ type: 'group' }).offers).not.toHaveProperty('eligibleQuantity')
})
