import { describe, expect, test } from 'vitest'
import { type Caller, onBothBindings } from '../support/both-bindings.ts'
import { CENTRE, list, north, registry } from './directory.ts'
import { freeOn } from './hints.ts'
import { fed } from './services.ts'

const server = await registry()
const { db } = server.runtime

const atTheShop = { type: 'at_business_location' } as const

await list(db, 'reg_serenity', { name: 'Serenity Spa', location: north(0) }, [
  fed('deep_tissue', {
    name: 'Deep Tissue Massage',
    description: { plain: 'Firm strokes for tired athletes.' },
    channel: atTheShop,
    categories: [
      { taxonomy: 'merchant', id: 'relaxation', name: 'Relaxation' },
      { taxonomy: 'merchant', id: 'massage', name: 'Body work', primary: true },
    ],
    ...freeOn('2026-11-23'),
  }),
  fed('hot_stones', {
    name: 'Hot Stones',
    channel: atTheShop,
    categories: [{ taxonomy: 'merchant', id: 'massage', value: 'Massage > Stones' }],
    pricing: { model: 'fixed', amount: 9000, currency: 'EUR' },
    ...freeOn('2026-11-21'),
  }),
])
await list(db, 'reg_gym', { name: 'Iron Gym', location: north(9_900) }, [
  fed('circuit', {
    name: 'Circuit',
    type: 'group',
    channel: atTheShop,
    categories: [{ taxonomy: 'merchant', id: 'fitness' }],
  }),
])
await list(db, 'reg_far', { name: 'Outskirts', location: north(10_100) }, [
  fed('trial', { name: 'Trial lesson', type: 'class', channel: atTheShop, duration: { fixed: 'PT2H' } }),
])
await list(db, 'reg_online', { name: 'Online', timezone: 'Europe/Lisbon', deployment_mode: 'ucp_native' }, [
  fed('advice', { name: 'Advice', type: 'custom', channel: { type: 'virtual' }, duration: { undetermined: true } }),
])
await list(db, 'reg_gone', { name: 'Past', location: north(1), status: 'inactive' }, [
  fed('deep_past', {
    name: 'Deep Tissue Massage',
    channel: atTheShop,
    categories: [{ taxonomy: 'merchant', id: 'massage' }],
  }),
])

const search = (call: Caller, input: Record<string, unknown>) => call('usp_registry_search_services', input)
const found = async (call: Caller, input: Record<string, unknown>): Promise<string[]> => {
  const { payload } = await search(call, input)
  expect(payload).not.toHaveProperty('messages')
  return payload.services.map(({ service_id }: { service_id: string }) => service_id)
}
const around = (radius_km: number) => ({ location: { coordinates: CENTRE, radius_km } })

test('[REG-055] [REG-056] a service search needs no authentication and shows the service and its business', async () => {
  const { status, body } = await server.rest('POST', '/registry/search_services', { query: 'deep tissue' })
  expect(status).toBe(200)
  expect(Object.keys(body).sort()).toEqual(['pagination', 'services', 'usp'])
  expect(body.services).toEqual([
    {
      service_id: 'deep_tissue',
      service_name: 'Deep Tissue Massage',
      business: {
        id: 'reg_serenity',
        profile_url: 'https://reg-serenity.example/.well-known/usp',
        deployment_mode: 'standalone',
        name: 'Serenity Spa',
      },
      category: 'Body work',
      category_ids: ['relaxation', 'massage'],
      duration_minutes: 60,
      pricing: { model: 'fixed', amount: 7500, currency: 'USD' },
      location: north(0),
      timezone: 'America/New_York',
      last_indexed_at: '2026-11-20T07:00:00.000-05:00',
      ...freeOn('2026-11-23'),
      rank_signals: {
        relevance: 1,
        coverage: null,
        density: 1 / (56 * 24),
        soonness: expect.closeTo(1 - 77 / (56 * 24)),
        hint_usable: true,
      },
    },
  ])
  expect(body.pagination).toEqual({ cursor: null, has_more: false })
})

onBothBindings(server, (call) => {
  test.each([
    {},
    { pagination: { limit: 5 }, context: { currency: 'USD' } },
    { desired_service_time_ranges: [{ at: '2026-11-23T10:00:00-05:00' }], prefer_sooner_availability_slots: false },
    { location: {}, verticals: [], categories: [], query: '', price_range: {}, duration_range: {} },
  ])('[REG-057] [REG-058] [LIV-011] %j holds no filter and is a validation_error', async (input) => {
    const { error } = await search(call, input)
    expect(error).toMatchObject({ code: 'validation_error', errors: [{ field: '' }] })
  })

  test.each([
    [{ location: { coordinates: CENTRE } }, ['deep_tissue', 'hot_stones', 'circuit', 'trial']],
    [{ verticals: ['class'] }, ['trial']],
    [{ categories: ['fitness'] }, ['circuit']],
    [{ query: 'advice' }, ['advice']],
    [{ price_range: { currency: 'EUR' } }, ['hot_stones']],
    [{ duration_range: { min_minutes: 100 } }, ['trial']],
  ])('[REG-059] %j alone is filter enough', async (input, ids) => {
    expect((await found(call, input)).sort()).toEqual([...ids].sort())
  })

  test('[REG-060] a search that nothing fits finds nothing, and nothing is wrong with it', async () => {
    expect(await found(call, { categories: ['none'] })).toEqual([])
    expect(await found(call, { query: 'zzzzzzz' })).toEqual([])
  })

  test('[REG-043] [REG-044] every filter must be met, and of several values one is enough', async () => {
    const input = {
      ...around(1),
      verticals: ['appointment', 'group'],
      categories: ['massage', 'fitness'],
      query: 'deep',
      price_range: { min: 7000, max: 8000, currency: 'USD' },
      duration_range: { min_minutes: 30, max_minutes: 90 },
    }
    expect(await found(call, input)).toEqual(['deep_tissue'])
    const others = [
      { location: { coordinates: { lat: 0, lng: 0 }, radius_km: 1 } },
      { verticals: ['group'] },
      { categories: ['fitness'] },
      { query: 'circuit' },
      { price_range: { min: 8000, currency: 'USD' } },
      { duration_range: { min_minutes: 61 } },
    ]
    for (const other of others) expect(await found(call, { ...input, ...other })).toEqual([])
  })

  test.each([
    ['tissue', ['deep_tissue']],
    ['ATHLETES', ['deep_tissue']],
    ['masage', ['deep_tissue', 'hot_stones']],
    ['stones', ['hot_stones']],
    ['stines', ['hot_stones']],
    ['letes', ['deep_tissue']],
    ['relaxation', ['deep_tissue']],
    ['circ', ['circuit']],
    ['serenity', []],
  ])('[REG-062] %j is looked for in names, descriptions and categories', async (query, ids) => {
    expect(await found(call, { query })).toEqual(ids)
  })

  test('[REG-062] a word that stands somewhere as it is is not taken for one that differs by two letters', async () => {
    expect(await found(call, { query: 'strokes' })).toEqual(['deep_tissue'])
    expect(await found(call, { query: 'strones' })).toEqual(['hot_stones', 'deep_tissue'])
  })

  test('[REG-062] of three words two must be found; the more are, the better', async () => {
    expect(await found(call, { query: 'firm hot stones' })).toEqual(['hot_stones'])
    expect(await found(call, { query: 'firm massage' })).toEqual(['deep_tissue', 'hot_stones'])
  })

  test('[REG-063] [REG-064] a category may be the primary one or another', async () => {
    expect((await found(call, { categories: ['massage'] })).sort()).toEqual(['deep_tissue', 'hot_stones'])
    expect(await found(call, { categories: ['relaxation'] })).toEqual(['deep_tissue'])
    expect(await found(call, { categories: ['Body work'] })).toEqual([])
  })

  test('[REG-065] [REG-066] the category shown is the primary name, else its value, else its id, else the type', async () => {
    const { payload } = await search(call, { query: 'deep hot circuit advice', pagination: { limit: 10 } })
    expect(payload.services).toEqual([])
    const shown = []
    for (const query of ['tissue', 'stones', 'circuit', 'advice'])
      shown.push((await search(call, { query })).payload.services[0].category)
    expect(shown).toEqual(['Body work', 'Massage > Stones', 'fitness', 'custom'])
  })

  test('[REG-067] a hit says when it was read', async () => {
    const { payload } = await search(call, { verticals: ['appointment', 'group', 'class', 'custom'] })
    expect(payload.services).toHaveLength(5)
    const told = payload.services.map((hit: { timezone: string; last_indexed_at: string }) => [
      hit.timezone,
      hit.last_indexed_at,
    ])
    expect(new Set(told.map(String))).toEqual(
      new Set(['America/New_York,2026-11-20T07:00:00.000-05:00', 'Europe/Lisbon,2026-11-20T12:00:00.000+00:00']),
    )
  })

  test('[REG-068] a hint is passed on as it is, and its lack leaves nothing out', async () => {
    const { payload } = await search(call, { categories: ['massage', 'fitness'] })
    const hints = payload.services.map((hit: { availability_hint?: object }) => hit.availability_hint)
    expect(hints).toEqual([freeOn('2026-11-21').availability_hint, freeOn('2026-11-23').availability_hint, undefined])
  })

  test('[REG-050] [REG-051] what happens nowhere in particular is found unless a place is asked for', async () => {
    expect(await found(call, { query: 'advice' })).toEqual(['advice'])
    expect(await found(call, { query: 'advice', ...around(20_000) })).toEqual([])
    const [hit] = (await search(call, { query: 'advice' })).payload.services
    expect(hit).not.toHaveProperty('location')
    expect(hit.timezone).toBe('Europe/Lisbon')
  })

  test('[REG-048] a radius reaches to the metre', async () => {
    expect((await found(call, around(10))).sort()).toEqual(['circuit', 'deep_tissue', 'hot_stones'])
    expect(await found(call, { ...around(10.2), verticals: ['class'] })).toEqual(['trial'])
    expect(await found(call, { ...around(10), verticals: ['class'] })).toEqual([])
  })

  test('[REG-052] services of an inactive entry are not found', async () => {
    expect(await found(call, { query: 'tissue' })).toEqual(['deep_tissue'])
    expect(await found(call, { categories: ['massage'], ...around(1) })).not.toContain('deep_past')
  })

  test.each([{ location: { radius_km: 5 }, query: 'deep' }, { location: { address: 'Main St' } }])(
    '[REG-057] [LIV-011] nowhere is refused like a search without filters: %j',
    async (input) => {
      const { error } = await search(call, input)
      expect(error).toMatchObject({ code: 'validation_error', errors: [{ field: 'location.coordinates' }] })
    },
  )

  describe('what is malformed', () => {
    test.each([
      ['[REG-049]', around(-1), 'validation_error'],
      ['[REG-049]', { location: { coordinates: { lat: 1 } } }, 'invalid_request'],
      ['[REG-054]', { query: 'spa', pagination: { limit: 0 } }, 'validation_error'],
      ['[REG-077]', { price_range: { min: 1, currency: 'USD', match: 'within' } }, 'validation_error'],
      ['[REG-077]', { duration_range: { min_minutes: 1, match: '' } }, 'validation_error'],
      ['[REG-089]', { duration_range: { min_minutes: -1 } }, 'validation_error'],
      ['[REG-089]', { duration_range: { max_minutes: -30 } }, 'validation_error'],
      ['[REG-089]', { duration_range: { min_minutes: 7.5 } }, 'validation_error'],
      ['[REG-089]', { duration_range: { max_minutes: '30' } }, 'validation_error'],
      ['', { query: 'spa', desired_service_time_ranges: [{ at: 'soon' }] }, 'validation_error'],
    ])('%s %j is refused as a request', async (_, input, code) => {
      expect((await search(call, input)).error?.code).toBe(code)
    })
  })
})

test('[REG-061] both bindings find the same', async () => {
  for (const input of [{ query: 'massage' }, around(10), { categories: ['fitness'] }]) {
    const rest = await server.rest('POST', '/registry/search_services', input)
    const mcp = await server.tool('usp_registry_search_services', input)
    expect(mcp.body.result.structuredContent.services).toEqual(rest.body.services)
    expect(rest.body.services.length).toBeGreaterThan(0)
  }
  const rest = await server.rest('POST', '/registry/search_business', { query: 'serenity' })
  const mcp = await server.tool('usp_registry_search_business', { query: 'serenity' })
  expect(mcp.body.result.structuredContent.businesses).toEqual(rest.body.businesses)
})
