import { expect, test } from 'vitest'
import { primaryCategory } from '../../src/domain/catalog/localized-texts.ts'
import type { Service } from '../../src/protocol/types.generated.ts'
import { type Caller, onBothBindings } from '../support/both-bindings.ts'
import { freshDatabase } from '../support/database.ts'
import { businessWith, service } from '../support/definitions.ts'
import { testServer } from '../support/server.ts'

const full = service('svc_full', {
  description: { plain: 'Plain.', markdown: '*Rich.*', html: '<p>Rich.</p>' },
  status: 'active',
  pricing: { model: 'per_person', amount: 2500, currency: 'USD', price_range: { min: 2500, max: 20_000 } },
  resources: [
    { type: 'staff', name: 'Stylist', selectable: true, options: ['staff_jane'] },
    { type: 'room', options: ['room_1'] },
  ],
  media: [{ type: 'image', url: 'https://studio.example/a.jpg', role: 'hero', alt_text: 'A chair' }],
  rating: { value: 4.8, scale_max: 5, count: 31 },
  handle: 'full',
  url: 'https://studio.example/full',
  tags: ['calm'],
  links: [{ type: 'waiver', url: 'https://studio.example/waiver', title: 'Waiver' }],
  metadata: { ours: { nested: [1, null, 'x', { deep: true }] }, 'odd key': 0 },
  localized: { name: { es: 'Todo', fr: 'Tout', 'zh-Hant': '全部' } },
})

const definition = businessWith([full, service('svc_plain', { channel: { type: 'virtual' } })], {
  business: {
    id: 'biz_test',
    name: 'Test Studio',
    timezone: 'America/New_York',
    currency: 'USD',
    url: 'https://studio.example',
    links: [{ type: 'privacy_policy', url: 'https://studio.example/privacy' }],
  },
  locations: [{ id: 'loc_a', name: 'A', address: '1 Main St', coordinates: { lat: 1.5, lng: 2.5 } }],
  resources: [
    {
      id: 'staff_jane',
      type: 'staff',
      name: 'Jane',
      description: 'Ten years',
      image_url: 'https://studio.example/j.jpg',
      time_off: [{ from: '2026-12-01', to: '2026-12-02', reason: 'Surgery' }],
    },
    { id: 'room_1', type: 'room', name: 'Room 1' },
  ],
})
const server = await testServer(definition)

onBothBindings(server, (call) => {
  const everywhere = async (id: string): Promise<Service[]> => [
    (await call('usp_services_get', { service_id: id })).payload.service,
    ...(await call('usp_services_list')).payload.services.filter((one: Service) => one.id === id),
    ...(await call('usp_services_lookup', { ids: [id] })).payload.services,
    ...(await feedData(call)).filter((one) => one.id === id),
  ]

  test('[CAT-065] [CAT-068] every operation gives every service its required members and one business id', async () => {
    for (const one of [...(await everywhere('svc_full')), ...(await everywhere('svc_plain'))]) {
      for (const member of ['id', 'name', 'type', 'duration', 'pricing', 'channel', 'policies'])
        expect(one).toHaveProperty(member)
      expect(one.business_id).toBe('biz_test')
    }
    expect(await everywhere('svc_full')).toHaveLength(4)
  })

  test('[CAT-067] times, durations, amounts and codes are in their standard forms', async () => {
    const { payload } = await call('usp_services_feed')
    for (const { modified_at } of payload.items)
      expect(modified_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?-05:00$/)
    const [one] = await everywhere('svc_full')
    expect(one?.duration.fixed).toMatch(/^PT\d+M$/)
    expect(Number.isInteger(one?.pricing.amount)).toBe(true)
    expect(Intl.supportedValuesOf('currency')).toContain(one?.pricing.currency)
  })

  test('[CAT-072] a service without a status is as active as one that says so', async () => {
    const { payload } = await call('usp_services_list')
    expect(payload.services.map((one: Service) => one.status)).toEqual(['active', undefined])
  })

  test('[CAT-074] a service names its provider, with website and links', async () => {
    for (const one of await everywhere('svc_plain'))
      expect(one.provider).toEqual({
        name: 'Test Studio',
        url: 'https://studio.example',
        links: [{ type: 'privacy_policy', url: 'https://studio.example/privacy' }],
      })
  })

  test('[CAT-075] [CAT-076] [CAT-078] rating, media and price range are passed on', async () => {
    for (const one of await everywhere('svc_full')) {
      expect(one.rating).toEqual(full.rating)
      expect(one.media).toEqual(full.media)
      expect(one.pricing.price_range).toEqual({ min: 2500, max: 20_000 })
      expect(one).not.toHaveProperty('images')
    }
  })

  test('[CAT-077] metadata comes back member for member', async () => {
    for (const one of await everywhere('svc_full')) expect(one.metadata).toEqual(full.metadata)
  })

  test('[CAT-079] what can be chosen lists its options; what cannot lists none', async () => {
    for (const one of await everywhere('svc_full'))
      expect(one.resources).toEqual([
        {
          type: 'staff',
          name: 'Stylist',
          selectable: true,
          options: [
            { id: 'staff_jane', name: 'Jane', description: 'Ten years', image_url: 'https://studio.example/j.jpg' },
          ],
        },
        { type: 'room', selectable: false },
      ])
  })

  test('[CAT-080] [CAT-081] every language of a service is in the one object', async () => {
    for (const one of await everywhere('svc_full')) {
      expect(one.name).toBe('Service svc_full')
      expect(one.localized?.name).toEqual({ es: 'Todo', fr: 'Tout', 'zh-Hant': '全部' })
    }
  })

  test('[CAT-098] the locations of a service are those of the profile', async () => {
    const profile = (await server.rest('GET', '/.well-known/usp')).body.usp.business.locations
    for (const one of await everywhere('svc_full')) {
      expect(one.locations).toEqual([
        { id: 'loc_a', name: 'A', address: '1 Main St', coordinates: { lat: 1.5, lng: 2.5 } },
      ])
      expect(profile).toEqual(one.locations)
    }
    for (const one of await everywhere('svc_plain')) expect(one).not.toHaveProperty('locations')
  })

  test('what the business keeps to itself stays there', async () => {
    expect(JSON.stringify(await everywhere('svc_full'))).not.toMatch(/Surgery|time_off/)
  })
})

test('[CAT-070] an id names the same service after an edit and a restart', async () => {
  const databaseUrl = await freshDatabase()
  const before = await testServer(definition, { databaseUrl })
  await before.apply({ ...definition, services: [{ ...full, name: 'Edited' }, ...definition.services.slice(1)] })
  const after = await testServer(undefined, { databaseUrl })
  const { body } = await after.rest('POST', '/services/list')
  expect(body.services.map(({ id, name }: Service) => [id, name])).toEqual([
    ['svc_full', 'Edited'],
    ['svc_plain', 'Service svc_plain'],
  ])
})

test.each([
  ['CAT-088', 'the one marked primary', [{ id: 'a' }, { id: 'b', primary: true }], 'b'],
  ['CAT-089', 'the only merchant entry', [{ id: 'a', taxonomy: 'google' }, { id: 'b' }], 'b'],
  ['CAT-090', 'the first of several merchant entries', [{ id: 'a' }, { id: 'b' }], 'a'],
  [
    'CAT-090',
    'the first when none is of the merchant',
    [
      { id: 'a', taxonomy: 'x' },
      { id: 'b', taxonomy: 'y' },
    ],
    'a',
  ],
])('[%s] the primary category is %s', (_, __, entries, id) => {
  expect(primaryCategory(entries.map((entry) => ({ taxonomy: 'merchant', ...entry })))?.id).toBe(id)
})

const feedData = async (call: Caller): Promise<Service[]> =>
  (await call('usp_services_feed')).payload.items.map(({ data }: { data: Service }) => data)
