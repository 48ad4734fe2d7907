import { expect, test } from 'vitest'
import { onBothBindings } from '../support/both-bindings.ts'
import { CENTRE, list, north, registry } from './directory.ts'
import { fed } from './services.ts'

const server = await registry()

const ids = [
  'hair',
  'Hair',
  'hair care',
  "barber's",
  "'",
  '\\',
  "a\\'b",
  'a | b',
  '!hair',
  'hair:*',
  'été',
  '美容',
  ' ',
]
await list(
  server.runtime.db,
  'reg_odd',
  { location: north(100) },
  ids.map((id) =>
    fed(`svc_${id}`, { channel: { type: 'at_business_location' }, categories: [{ taxonomy: 'merchant', id }] }),
  ),
)
const around = { coordinates: CENTRE, radius_km: 5 }

onBothBindings(server, (call) => {
  const found = async (categories: string[], location?: object): Promise<string[]> => {
    const input = { categories, ...(location && { location }) }
    const { payload } = await call('usp_registry_search_services', input)
    return payload.services.map(({ service_id }: { service_id: string }) => service_id)
  }

  test.each(ids)('[REG-063] the category "%s" is no other one, around a place as everywhere', async (id) => {
    expect(await found([id])).toEqual([`svc_${id}`])
    expect(await found([id], around)).toEqual([`svc_${id}`])
  })

  test('[REG-044] one of several categories is enough around a place', async () => {
    expect(await found(["barber's", ' ', 'none'], around)).toEqual(["svc_barber's", 'svc_ '])
    expect(await found(['none'], around)).toEqual([])
    expect(await found(["barber's"], { coordinates: { lat: 0, lng: 0 }, radius_km: 5 })).toEqual([])
  })
})
