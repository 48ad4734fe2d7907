import { expect, test } from 'vitest'
import { addClient } from '../../src/core/authentication/api-keys.ts'
import { applyDefinition } from '../../src/domain/definition/apply-definition.ts'
import type { ServiceDefinition } from '../../src/protocol/types.generated.ts'
import { businessWith, service } from '../support/definitions.ts'
import { testPlatform } from '../support/platform.ts'
import { eventually, secureServer } from './over-https.ts'

const cut = service('svc_cut', { name: 'Women’s haircut', categories: [{ taxonomy: 'merchant', id: 'hair' }] })
const dye = service('svc_dye', { name: 'Hair colour', duration: { fixed: 'PT2H' } })
const call = service('svc_call', { name: 'Hair advice', channel: { type: 'phone' } })
const salon = (services: ServiceDefinition[]) =>
  businessWith(services, { resources: [{ id: 'staff_ann', type: 'staff', name: 'Ann' }] })

const [business, registry, platform] = await Promise.all([
  secureServer(salon([cut, dye, call])),
  secureServer({ ...businessWith([service('svc_own')]), registry: { enabled: true } }),
  testPlatform(),
])
const { key } = await addClient(registry.db, 'Lister', new Date())
const headers = { authorization: `Bearer ${key}`, 'usp-agent': `profile="${platform.url}"` }

const listing = {
  profile_url: `${business.origin}/.well-known/usp`,
  deployment_mode: 'standalone',
  name: 'The Salon',
  verticals: ['appointment'],
  categories: ['beauty'],
  location: { address: '1 Main St', coordinates: { lat: 40.75, lng: -73.99 } },
  timezone: 'America/New_York',
}
const register = (body: object) => registry.send({ path: '/usp/v1/registry/businesses', headers, body })
const search = async (body: object) =>
  (await registry.send({ path: '/usp/v1/registry/search_services', body })).body.services
const idsOf = (hits: { service_id: string }[]) => hits.map(({ service_id }) => service_id).sort()
const subscriptions = () => business.db.selectFrom('feed_subscriptions').select(['callback_url', 'status']).execute()

test('[REG-020] a business that buyers come to is not listed without its place', async () => {
  const { location: _, ...nowhere } = listing
  const { status, body } = await register(nowhere)
  expect([status, body.code]).toEqual([422, 'validation_error'])
  expect(await registry.db.selectFrom('registrations').select('id').execute()).toEqual([])
})

test('[REG-037] [REG-067] [REG-068] [REG-090] [REG-092] two servers find each other: list, index, change a price, delete', async () => {
  const ownOf = async (id: string) =>
    (await business.send({ method: 'GET', path: `/usp/v1/services/${id}` })).body.service
  const { availability_hint } = await eventually(
    () => ownOf('svc_call'),
    (last) => last.availability_hint !== undefined,
  )
  const { status, body } = await register(listing)
  expect(status).toBe(201)
  const { id } = body.registration

  const hits = await eventually(
    () => search({ query: 'hair' }),
    (found) => found.length === 3,
  )
  expect(idsOf(hits)).toEqual(['svc_call', 'svc_cut', 'svc_dye'])
  expect(hits.find((hit: { service_id: string }) => hit.service_id === 'svc_cut')).toEqual({
    service_id: 'svc_cut',
    service_name: cut.name,
    business: { id, profile_url: listing.profile_url, deployment_mode: 'standalone', name: 'The Salon' },
    category: 'hair',
    duration_minutes: 60,
    pricing: cut.pricing,
    location: listing.location,
    timezone: listing.timezone,
    last_indexed_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+-05:00$/),
    availability_hint: (await ownOf('svc_cut')).availability_hint,
  })
  expect(hits.find((hit: { service_id: string }) => hit.service_id === 'svc_call').availability_hint).toEqual(
    availability_hint,
  )
  const near = { coordinates: { lat: 40.76, lng: -73.98 }, radius_km: 5 }
  expect(idsOf(await search({ location: near }))).toEqual(['svc_cut', 'svc_dye'])
  expect(idsOf(await search({ duration_range: { min_minutes: 100 } }))).toEqual(['svc_dye'])

  await eventually(subscriptions, (all) => all.some(({ status }) => status === 'active'))
  const price = { min: 9000, max: 9000, currency: 'USD' }
  expect(await search({ price_range: price })).toEqual([])
  const dearer = { ...cut, pricing: { ...cut.pricing, amount: 9000 } }
  await applyDefinition(business.db, salon([dearer, call]), new Date())
  const found = await eventually(
    () => search({ price_range: price }),
    ({ length }) => length > 0,
  )
  expect(idsOf(found)).toEqual(['svc_cut'])
  expect(idsOf(await search({ query: 'hair' }))).toEqual(['svc_call', 'svc_cut'])

  const path = `/usp/v1/registry/businesses/${id}`
  expect((await registry.send({ method: 'DELETE', path, headers })).status).toBe(204)
  expect(await search({ query: 'hair' })).toEqual([])
  expect(await registry.db.selectFrom('indexed_services').select('service_id').execute()).toEqual([])
  expect(await eventually(subscriptions, (all) => all.every(({ status }) => status === 'canceled'))).toEqual([
    { callback_url: `${registry.origin}/usp/v1/registry/notices/${id}`, status: 'canceled' },
  ])
})
