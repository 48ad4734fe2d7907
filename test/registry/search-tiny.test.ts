import { expect, test } from 'vitest'
import { onBothBindings } from '../support/both-bindings.ts'
import { onBothDesks } from '../support/desk.ts'
import { list, registry } from './directory.ts'
import { listingShop, register } from './listing-shop.ts'
import { fed } from './services.ts'

/** Numbers that a double holds and that multiply to none. */
const tiny = [5e-324, -5e-324, 1e-308, 1e-200, 1e-170, -1e-100]
const channel = { type: 'at_business_location' } as const
const pointOf = (value: number) => ({ lat: value, lng: -value })

const server = await registry()
const { db } = server.runtime
for (const [nth, value] of tiny.entries()) {
  const location = { coordinates: pointOf(value) }
  await list(db, `reg_${nth}`, { location }, [fed(`svc_${nth}`, { channel, locations: [location] })])
}
const all = (kind: string) => tiny.map((_, nth) => `${kind}_${nth}`)

onBothBindings(server, (call) => {
  const businesses = async (coordinates: object, radius_km?: number) =>
    (await call('usp_registry_search_business', { location: { coordinates, radius_km } })).payload.businesses
  const services = async (coordinates: object, radius_km?: number) =>
    (await call('usp_registry_search_services', { location: { coordinates, radius_km } })).payload.services

  test.each([...tiny, 0, 90, -90].flatMap((value) => [1, 20_037, undefined].map((radius) => ({ value, radius }))))(
    '[REG-048] what lies within $radius km of $value is found, however small the number of a place is',
    async ({ value, radius }) => {
      const found = [await businesses(pointOf(value), radius), await services(pointOf(value), radius)]
      const isNear = radius !== 1 || Math.abs(value) < 1
      expect(found.map((one) => one.length)).toEqual(isNear ? [tiny.length, tiny.length] : [0, 0])
    },
  )

  test.each(tiny)('[CAT-044] services are listed for a buyer at %s', async (value) => {
    const context = { coordinates: { latitude: value, longitude: value } }
    expect((await call('usp_services_list', { context })).payload.services).toHaveLength(1)
  })

  test.each(['0000-01-01', '0000-02-29', '0000-12-31', '0001-01-01'])(
    '[REG-069] a wish for %s is for a day before any other',
    async (day) => {
      const { payload } = await call('usp_registry_search_services', {
        prefer_sooner_availability_slots: false,
        desired_service_time_ranges: [{ at: `${day}T10:00:00Z` }],
        location: { coordinates: pointOf(0), radius_km: 1 },
      })
      expect(payload.services.map(({ service_id }: { service_id: string }) => service_id).sort()).toEqual(all('svc'))
    },
  )
})

await onBothDesks(listingShop, (desk, shop) => {
  test.each(tiny)('a business is listed at %s, to a tenth of a millimetre', async (value) => {
    const { location } = await register(desk, shop, { location: { coordinates: pointOf(value) } })
    expect(location).toEqual({ coordinates: { lat: 0, lng: 0 } })
    const { data } = await desk.call('usp_registry_search_business', { location: { coordinates: pointOf(value) } })
    expect(data.businesses).not.toHaveLength(0)
  })
})
