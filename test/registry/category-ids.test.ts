import { describe, expect, test } from 'vitest'
import { onBothBindings } from '../support/both-bindings.ts'
import { onBothDesks } from '../support/desk.ts'
import { list, registry } from './directory.ts'
import { listing, listingShop, register } from './listing-shop.ts'
import { fed } from './services.ts'

const odd = ['Hair', 'hair', ' hair', "barber's", 'été', '美容', 'a | b']

await onBothDesks(listingShop, (desk, shop) => {
  describe('the categories of a listing', () => {
    test('[LIV-083] are kept and returned unchanged', async () => {
      const { id, categories } = await register(desk, shop, { categories: odd })
      expect(categories).toEqual(odd)
      const { data } = await desk.call('usp_registry_get', { id }, { as: {} })
      expect(data.registration.categories).toEqual(odd)
      const changed = { id, ...listing(data.registration.profile_url, { categories: odd.toReversed() }) }
      const { registration } = (await desk.call('usp_registry_update', changed)).data
      expect(registration.categories).toEqual(odd.toReversed())
    })

    test.each([[['hair', 'hair']], [['hair', '']], [['']]])('[LIV-083] %j are refused', async (categories) => {
      const wish = { ...listing(shop.address()), categories }
      expect((await desk.call('usp_registry_register', wish)).code).toBe('validation_error')
    })

    test('[LIV-084] each finds the business, and no other spelling does', async () => {
      const { id } = await register(desk, shop, { name: 'Odd House', categories: ['Salon', "d'Or", '理髪'] })
      const found = async (category: string) => {
        const input = { categories: [category] }
        const { data } = await desk.call('usp_registry_search_business', input, { as: {} })
        return data.businesses.some((one: { id: string }) => one.id === id)
      }
      for (const category of ['Salon', "d'Or", '理髪']) expect(await found(category)).toBe(true)
      for (const category of ['salon', 'Salon ', "D'OR"]) expect(await found(category)).toBe(false)
    })
  })
})

const server = await registry()
const merchant = (id: string, more: object = {}) => ({ taxonomy: 'merchant', id, ...more })
await list(server.runtime.db, 'reg_some', {}, [
  fed('many', { categories: [merchant('b', { name: 'Beauty' }), merchant('a'), merchant('B', { primary: true })] }),
  fed('twice', { categories: [merchant('b'), merchant('b', { name: 'Again' }), merchant('')] }),
  fed('none', { categories: [{ taxonomy: 'google', value: 'b > c' }] }),
  fed('bare'),
])

onBothBindings(server, (call) => {
  const search = async (input: object) =>
    (await call('usp_registry_search_services', { ...input })).payload.services as {
      service_id: string
      category: string
      category_ids: string[]
    }[]
  const found = async (input: object) => (await search(input)).map(({ service_id }) => service_id).sort()

  test('[LIV-085] every hit has the ids of its categories, each once, or an empty list', async () => {
    const hits = await search({ verticals: ['appointment'] })
    expect(Object.fromEntries(hits.map((hit) => [hit.service_id, hit.category_ids]))).toEqual({
      many: ['b', 'a', 'B'],
      twice: ['b'],
      none: [],
      bare: [],
    })
  })

  test('[LIV-086] each id finds the service, and the category that is shown does not', async () => {
    for (const { service_id, category_ids } of await search({ verticals: ['appointment'] }))
      for (const id of category_ids) expect(await found({ categories: [id] })).toContain(service_id)
    expect(await found({ categories: ['b'] })).toEqual(['many', 'twice'])
    expect(await found({ categories: ['B'] })).toEqual(['many'])
    for (const text of ['Beauty', 'b > c', 'appointment']) expect(await found({ categories: [text] })).toEqual([])
  })

  test.each([[['a', 'a']], [['']]])('[LIV-086] the filter %j is refused', async (categories) => {
    const { error } = await call('usp_registry_search_services', { categories })
    expect(error?.code).toBe('validation_error')
  })
})
