import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { businessSearch } from '../../src/domain/registry/search/business-search-sql.ts'
import { boxesAround } from '../../src/domain/registry/search/search-circle.ts'
import { serviceSearch } from '../../src/domain/registry/search/service-search-sql.ts'
import { index, list, registry } from './directory.ts'
import { metresApart } from './metres-apart.ts'
import { fed } from './services.ts'

const server = await registry()
const { db } = server.runtime
const channel = { type: 'at_business_location' } as const
type Place = { lat: number; lng: number }

/** Thousands of places all over the world, many of them at its seams. */
let seed = 7
const random = () => {
  seed = (seed * 48_271) % 2_147_483_647
  return seed / 2_147_483_647
}
const around = ({ lat, lng }: Place, spread: number): Place => ({
  lat: Math.max(-90, Math.min(90, lat + (random() - 0.5) * spread)),
  lng: ((lng + (random() - 0.5) * spread + 540) % 360) - 180,
})
const seams: Place[] = [
  { lat: 40.7, lng: -74 },
  { lat: -17, lng: 180 },
  { lat: 89.9, lng: 10 },
  { lat: -90, lng: 0 },
  { lat: 0, lng: 0 },
]
const scattered = Array.from({ length: 3000 }, () => ({ lat: random() * 180 - 90, lng: random() * 360 - 180 }))
const places = [...scattered, ...seams.flatMap((seam) => Array.from({ length: 150 }, () => around(seam, 1)))]
await list(db, 'reg_world')
await index(
  db,
  'reg_world',
  places.map((coordinates, number) => fed(`svc_${number}`, { channel, locations: [{ coordinates }] })),
)

async function servicesWithin(location: object): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | null = null, more = true; more; ) {
    const pagination = { limit: 100, cursor }
    const { body } = await server.rest('POST', '/registry/search_services', { location, pagination })
    ids.push(...body.services.map(({ service_id }: { service_id: string }) => service_id))
    cursor = body.pagination.cursor
    more = body.pagination.has_more
  }
  return ids
}

test.each(seams.flatMap((centre) => [0, 3, 20, 60, 1500].map((radius_km) => ({ centre, radius_km }))))(
  '[REG-048] within $radius_km km of $centre is what a compass finds there',
  async ({ centre, radius_km }) => {
    const inside = places.flatMap((place, number) =>
      Math.round(metresApart(centre, place)) <= radius_km * 1000 ? [`svc_${number}`] : [],
    )
    expect((await servicesWithin({ coordinates: centre, radius_km })).sort()).toEqual(inside.sort())
  },
)

test('[REG-048] the nearest come first', async () => {
  const [centre] = seams
  const ids = await servicesWithin({ coordinates: centre, radius_km: 100 })
  const metres = ids.map((id) => metresApart(centre as Place, places[Number(id.slice(4))] as Place))
  expect(metres.length).toBeGreaterThan(50)
  expect(metres.map(Math.round)).toEqual(metres.map(Math.round).sort((one, other) => one - other))
})

test('[REG-050] a circle around the world finds all that is somewhere', async () => {
  const { body } = await server.rest('POST', '/registry/search_services', {
    location: { coordinates: seams[0], radius_km: 1e300 },
    pagination: { limit: 100 },
  })
  expect(body.pagination.has_more).toBe(true)
})

test('[REG-048] a service at several places is found at each, once, and shows the nearest', async () => {
  const [fiji, samoa] = [
    { address: 'Suva', coordinates: { lat: -18.14, lng: 178.44 } },
    { address: 'Apia', coordinates: { lat: -13.83, lng: -171.76 } },
  ]
  await list(db, 'reg_pacific', { location: fiji }, [
    fed('svc_pacific', { type: 'group', channel, locations: [fiji, samoa] }),
  ])
  const find = async (coordinates: object, radius_km: number) => {
    const input = { location: { coordinates, radius_km }, verticals: ['group'] }
    const { body } = await server.rest('POST', '/registry/search_services', input)
    return body.services.map(({ location }: { location: object }) => location)
  }
  expect(await find(fiji.coordinates, 10)).toEqual([fiji])
  expect(await find(samoa.coordinates, 10)).toEqual([samoa])
  expect(await find({ lat: -14, lng: -172 }, 5000)).toEqual([samoa])
  expect(await find({ lat: -16, lng: -176 }, 100)).toEqual([])
  const { body } = await server.rest('POST', '/registry/search_services', { verticals: ['group'] })
  expect(body.services[0].location).toEqual(fiji)
})

test('[REG-048] distance is looked up in an index', async () => {
  await sql`insert into registrations (id, principal, profile, profile_url, deployment_mode, name, verticals, categories,
      location, timezone, search_words, status, created_at, modified_at, checked_at, next_check_at, next_index_at)
    select 'reg_' || service_id, principal, profile, 'https://' || service_id || '.example', deployment_mode, name, verticals,
      categories, s.places -> 0, timezone, r.search_words, status, now(), now(), now(), now(), now()
    from registrations r join indexed_services s on s.registration_id = r.id where r.id = 'reg_world'`.execute(db)
  await sql`analyze registrations`.execute(db)
  const common = { expanded: undefined, verticals: [], categories: [], after: undefined, limit: 21 }
  const circle = { lat: 40.7, lng: -74, metres: 5000 }
  const services = {
    price: undefined,
    currency: undefined,
    duration: undefined,
    wanted: undefined,
    ring: undefined,
    state: undefined,
    soonerFirst: true,
    at: Date.now(),
  }
  const plan = async (query: ReturnType<typeof businessSearch | typeof serviceSearch>) =>
    JSON.stringify((await sql`explain ${query}`.execute(db)).rows)
  expect(await plan(businessSearch({ ...common, circle, deploymentMode: undefined }))).toContain('registrations_place')
  expect(await plan(serviceSearch({ ...common, ...services, circle }))).toContain('indexed_services_area')
  expect(boxesAround(circle)).toHaveLength(1)
})
