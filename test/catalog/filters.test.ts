import { expect, test } from 'vitest'
import type { PricingDefinition } from '../../src/protocol/types.generated.ts'
import { type Caller, onBothBindings } from '../support/both-bindings.ts'
import { businessWith, service } from '../support/definitions.ts'
import { testServer } from '../support/server.ts'

const { payment_timing: _, ...unpaid } = service('x').policies
const free = { ...unpaid, requires_payment: false }
const merchant = (...ids: string[]) => ids.map((id) => ({ taxonomy: 'merchant', id }))
const priced = (id: string, pricing: PricingDefinition) =>
  service(id, { pricing, ...(pricing.model === 'free' && { policies: free }), categories: merchant('priced') })

const server = await testServer(
  businessWith(
    [
      service('svc_hair', {
        categories: [
          { taxonomy: 'merchant', id: 'hair', primary: true },
          { taxonomy: 'merchant', id: 'beauty' },
        ],
        locations: ['loc_a'],
      }),
      service('svc_spa', { categories: merchant('spa'), locations: ['loc_b'] }),
      service('svc_yoga', { type: 'group', capacity: { max: 8 }, categories: merchant('spa'), locations: ['loc_a'] }),
      service('svc_course', { type: 'com.example.services.courses', locations: ['loc_a', 'loc_b'] }),
      priced('svc_cheap', { model: 'fixed', amount: 1000, currency: 'USD' }),
      priced('svc_dear', { model: 'fixed', amount: 9000, currency: 'USD' }),
      priced('svc_range', { model: 'variable', currency: 'USD', price_range: { min: 2000, max: 5000 } }),
      priced('svc_unknown', { model: 'variable', currency: 'USD' }),
      priced('svc_euro', { model: 'fixed', amount: 3000, currency: 'EUR' }),
      priced('svc_free', { model: 'free', currency: 'USD' }),
    ],
    {
      locations: [
        { id: 'loc_a', name: 'A' },
        { id: 'loc_b', name: 'B' },
      ],
    },
  ),
)

const found = async (call: Caller, filters: object, more = {}): Promise<string[]> => {
  const { payload } = await call('usp_services_list', { filters, ...more })
  return payload.services.map(({ id }: { id: string }) => id)
}
const price = (call: Caller, bounds: { min?: number; max?: number }, context = {}) =>
  found(call, { categories: ['priced'], price: bounds }, { context })

onBothBindings(server, (call) => {
  test('[CAT-023] a type filter keeps the services of that vertical', async () => {
    expect(await found(call, { type: 'group' })).toEqual(['svc_yoga'])
  })

  test('[CAT-024] a vertical of a vendor filters like any other', async () => {
    expect(await found(call, { type: 'com.example.services.courses' })).toEqual(['svc_course'])
  })

  test('[CAT-025] a category id finds the services whose primary entry has it', async () => {
    expect(await found(call, { category_id: 'hair' })).toEqual(['svc_hair'])
  })

  test('[CAT-026] a category id also finds it in an entry that is not primary', async () => {
    expect(await found(call, { category_id: 'beauty' })).toEqual(['svc_hair'])
  })

  test('[CAT-027] of several categories any one will do', async () => {
    expect(await found(call, { categories: ['hair', 'spa'] })).toEqual(['svc_hair', 'svc_spa', 'svc_yoga'])
  })

  test('[CAT-028] beside categories a category_id has no effect', async () => {
    expect(await found(call, { category_id: 'hair', categories: ['spa'] })).toEqual(['svc_spa', 'svc_yoga'])
  })

  test('[CAT-029] a location filter keeps the services offered there', async () => {
    expect(await found(call, { location_id: 'loc_b', categories: ['hair', 'spa'] })).toEqual(['svc_spa'])
    expect(await found(call, { location_id: 'loc_b', type: 'com.example.services.courses' })).toEqual(['svc_course'])
  })

  test('[CAT-030] price bounds are inclusive and in minor units', async () => {
    expect(await price(call, { min: 1001 })).toEqual(['svc_dear', 'svc_range'])
    expect(await price(call, { min: 1000, max: 9000 })).toEqual(['svc_cheap', 'svc_dear', 'svc_range'])
    expect(await price(call, { max: 1000 })).toEqual(['svc_cheap', 'svc_free'])
    expect(await price(call, { max: 999 })).toEqual(['svc_free'])
  })

  test.each([
    [{ min: '1001' }, ['svc_dear', 'svc_range']],
    [{ min: '1000', max: 9000 }, ['svc_cheap', 'svc_dear', 'svc_range']],
    [{ max: '-1' }, []],
  ])('[LIV-047] price bounds in digits count like numbers: %j', async (bounds, expected) => {
    expect(await found(call, { categories: ['priced'], price: bounds }, {})).toEqual(expected)
  })

  test.each(['1.5', '1e3', '', '+5'])('[LIV-049] the price bound %j is refused', async (min) => {
    const { error } = await call('usp_services_list', { filters: { price: { min } } })
    expect([error?.code, error?.errors?.[0]?.field]).toEqual(['validation_error', 'filters.price.min'])
  })

  test('[CAT-033] free counts as nothing, a range matches by overlap, no price matches nothing', async () => {
    expect(await price(call, { min: 5000, max: 6000 })).toEqual(['svc_range'])
    expect(await price(call, { min: 5001, max: 6000 })).toEqual([])
    expect(await price(call, { min: 0, max: 0 })).toEqual(['svc_free'])
  })

  test('[CAT-031] [CAT-032] bounds are in the currency of the context, else the usual one, and never converted', async () => {
    expect(await price(call, { min: 1, max: 100_000 }, { currency: 'EUR' })).toEqual(['svc_euro'])
    expect(await price(call, { min: 0, max: 100_000 }, { currency: 'JPY' })).toEqual(['svc_free'])
    expect(await price(call, { min: 2500, max: 3500 })).toEqual(['svc_range'])
    expect(await price(call, { min: 1, max: 100_000 }, { currency: 'JPY' })).toEqual([])
  })

  test('[CAT-034] every price names its own currency, whatever currency the context asks for', async () => {
    const { payload } = await call('usp_services_list', { context: { currency: 'EUR' } })
    const currencies = payload.services.map((one: { pricing: PricingDefinition }) => one.pricing.currency)
    expect(currencies).toEqual(['USD', 'USD', 'USD', 'USD', 'USD', 'USD', 'USD', 'USD', 'EUR', 'USD'])
  })

  test('[CAT-035] a service that fails one filter of several is left out', async () => {
    expect(await found(call, { type: 'appointment', categories: ['spa'] })).toEqual(['svc_spa'])
    expect(await found(call, { categories: ['spa'], location_id: 'loc_a' })).toEqual(['svc_yoga'])
    expect(await found(call, { categories: ['spa'], location_id: 'loc_a', price: { min: 100_000 } })).toEqual([])
  })

  test('[CAT-036] an unknown member of the filters is ignored', async () => {
    expect(await found(call, { type: 'group', colour: 'red' })).toEqual(['svc_yoga'])
  })

  test('[CAT-038] [CAT-039] the context is taken whole, and its unknown members are ignored', async () => {
    const context = {
      address_country: 'US',
      address_region: 'NY',
      postal_code: '10001',
      coordinates: { latitude: 40.7, longitude: -74 },
      language: 'en',
      currency: 'USD',
      intent: 'a calm hour',
    }
    for (const sent of [context, { ...context, mood: 'calm', coordinates: { ...context.coordinates, altitude: 3 } }]) {
      expect(await found(call, { type: 'group' }, { context: sent })).toEqual(['svc_yoga'])
      expect((await call('usp_services_lookup', { ids: ['svc_yoga'], context: sent })).payload.services).toHaveLength(1)
    }
  })

  test.each(['latitude', 'longitude'])(
    '[CAT-040] coordinates without %s are refused and the member named',
    async (member) => {
      const coordinates = { [member === 'latitude' ? 'longitude' : 'latitude']: 1 }
      const { error } = await call('usp_services_list', { context: { coordinates } })
      expect(error).toMatchObject({
        code: 'invalid_request',
        errors: [{ field: `context.coordinates.${member}`, message: 'is missing' }],
      })
    },
  )

  test('[CAT-041] coordinates off the globe are refused, those at its edges accepted', async () => {
    const at = async (latitude: number, longitude: number) =>
      (await call('usp_services_list', { context: { coordinates: { latitude, longitude } } })).error?.code
    expect([await at(90.1, 0), await at(0, -180.5), await at(-91, 0), await at(0, 181)]).toEqual(
      Array(4).fill('validation_error'),
    )
    expect([await at(90, 0), await at(0, -180)]).toEqual([undefined, undefined])
  })
})
