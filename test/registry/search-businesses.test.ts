import { describe, expect, test } from 'vitest'
import { type Caller, onBothBindings } from '../support/both-bindings.ts'
import { CENTRE, list, north, registry } from './directory.ts'

const server = await registry()
const { db } = server.runtime
await list(db, 'reg_serenity', {
  name: 'Serenity Spa',
  description: 'Quiet rooms, hot stones.',
  verticals: ['appointment'],
  categories: ['wellness', 'beauty'],
  location: north(0),
})
await list(db, 'reg_gym', {
  name: 'Iron Gym',
  verticals: ['group', 'rental'],
  categories: ['fitness'],
  location: north(9_900),
})
await list(db, 'reg_far', { name: 'Outskirts Massage', categories: ['massage'], location: north(10_100) })
await list(db, 'reg_online', {
  name: 'Online Tutors',
  deployment_mode: 'ucp_native',
  profile_url: 'https://tutors.example/.well-known/ucp',
  verticals: ['class'],
  categories: ['education'],
})
await list(db, 'reg_parlour', { name: 'Parlour', deployment_mode: 'ucp_native', categories: ['tattoo'] })
await list(db, 'reg_tattoo', { name: 'Tattoo Shop', deployment_mode: 'ucp_native', categories: ['ink'] })
await list(db, 'reg_gone', { name: 'Serenity Past', categories: ['beauty'], location: north(5), status: 'inactive' })

const search = (call: Caller, input: Record<string, unknown>) => call('usp_registry_search_business', input)
const found = async (call: Caller, input: Record<string, unknown>) => {
  const { payload } = await search(call, input)
  expect(payload).not.toHaveProperty('messages')
  return payload.businesses.map(({ id }: { id: string }) => id)
}
const around = (radius_km: number) => ({ location: { coordinates: CENTRE, radius_km } })

test('[REG-038] a business search needs no authentication and answers with entries and a page', async () => {
  const { status, body } = await server.rest('POST', '/registry/search_business', { query: 'serenity' })
  expect(status).toBe(200)
  expect(Object.keys(body).sort()).toEqual(['businesses', 'pagination', 'usp'])
  expect(body.businesses).toEqual([
    {
      id: 'reg_serenity',
      profile_url: 'https://reg-serenity.example/.well-known/usp',
      deployment_mode: 'standalone',
      name: 'Serenity Spa',
      description: 'Quiet rooms, hot stones.',
      verticals: ['appointment'],
      categories: ['wellness', 'beauty'],
      location: north(0),
      timezone: 'America/New_York',
      status: 'active',
      created_at: '2026-11-20T07:00:00.000-05:00',
    },
  ])
  expect(body.pagination).toEqual({ cursor: null, has_more: false })
})

test('[REG-003] the answer speaks of the registry itself, not of whom it found', async () => {
  const { body } = await server.rest('POST', '/registry/search_business', { deployment_mode: 'ucp_native' })
  expect(body.usp.version).toBe('2026-08-20')
  expect(Object.keys(body.usp.capabilities)).toEqual(['dev.usp-protocol.discovery.registry'])
})

onBothBindings(server, (call) => {
  test.each([
    {},
    { pagination: { limit: 5 } },
    { context: { locale: 'en', currency: 'USD' }, pagination: {} },
    { location: {}, verticals: [], categories: [], query: ' -- ' },
  ])('[REG-039] [REG-040] [LIV-011] %j holds no filter and is a validation_error', async (input) => {
    const { error } = await search(call, input)
    expect(error).toMatchObject({ code: 'validation_error', errors: [{ field: '' }] })
  })

  test.each([
    [{ location: { coordinates: CENTRE } }, ['reg_serenity', 'reg_gym', 'reg_far']],
    [{ verticals: ['rental'] }, ['reg_gym']],
    [{ categories: ['fitness'] }, ['reg_gym']],
    [{ query: 'tutors' }, ['reg_online']],
    [{ deployment_mode: 'standalone' }, ['reg_serenity', 'reg_gym', 'reg_far']],
  ])('[REG-041] %j alone is filter enough', async (input, ids) => {
    expect(await found(call, input)).toEqual(ids)
  })

  test('[REG-042] a search that nobody fits finds nobody, and nothing is wrong with it', async () => {
    expect(await found(call, { categories: ['none'] })).toEqual([])
    expect(await found(call, { query: 'zzzzzzz' })).toEqual([])
  })

  test('[REG-043] every filter must be met', async () => {
    const input = {
      verticals: ['appointment'],
      categories: ['beauty'],
      query: 'serenity',
      deployment_mode: 'standalone',
    }
    expect(await found(call, { ...input, ...around(1) })).toEqual(['reg_serenity'])
    for (const other of [{ verticals: ['group'] }, { categories: ['fitness'] }, { query: 'iron' }])
      expect(await found(call, { ...input, ...other })).toEqual([])
    expect(await found(call, { ...input, deployment_mode: 'ucp_native' })).toEqual([])
    expect(await found(call, { ...input, location: { coordinates: { lat: 0, lng: 0 }, radius_km: 1 } })).toEqual([])
  })

  test('[REG-044] of several values one is enough', async () => {
    expect(await found(call, { verticals: ['rental', 'class'] })).toEqual(['reg_gym', 'reg_online'])
    expect(await found(call, { categories: ['none', 'beauty', 'fitness'] })).toEqual(['reg_serenity', 'reg_gym'])
  })

  test.each([
    ['spa', ['reg_serenity']],
    ['SPÁ', ['reg_serenity']],
    ['wellness', ['reg_serenity']],
    ['serenty', ['reg_serenity']],
    ['edu', ['reg_online']],
    ['stones', []],
  ])('[REG-045] %j is looked for in names and categories', async (query, ids) => {
    expect(await found(call, { query })).toEqual(ids)
  })

  test('[REG-045] who has it in the name comes before who has it among the categories', async () => {
    expect(await found(call, { query: 'tattoo' })).toEqual(['reg_tattoo', 'reg_parlour'])
  })

  test('[REG-046] a deployment mode narrows, without one both are found', async () => {
    expect(await found(call, { deployment_mode: 'ucp_native' })).toEqual(['reg_online', 'reg_parlour', 'reg_tattoo'])
    const both = await found(call, { categories: ['wellness', 'education'] })
    expect(both).toEqual(['reg_serenity', 'reg_online'])
  })

  test('[REG-048] a radius reaches to the metre', async () => {
    expect(await found(call, around(10))).toEqual(['reg_serenity', 'reg_gym'])
    expect(await found(call, around(9.89))).toEqual(['reg_serenity'])
    expect(await found(call, around(10.2))).toEqual(['reg_serenity', 'reg_gym', 'reg_far'])
    expect(await found(call, around(0))).toEqual(['reg_serenity'])
  })

  test('[REG-050] [REG-051] who is nowhere is found unless a place is asked for', async () => {
    expect(await found(call, { query: 'tutors' })).toEqual(['reg_online'])
    expect(await found(call, { query: 'tutors', ...around(20_000) })).toEqual([])
    expect(await found(call, { query: 'tutors', location: { coordinates: CENTRE } })).toEqual([])
  })

  test('[REG-052] an inactive entry is not found', async () => {
    expect(await found(call, { query: 'past' })).toEqual([])
    expect(await found(call, { categories: ['beauty'], ...around(1) })).toEqual(['reg_serenity'])
  })

  test('a radius around nowhere is refused like a search without filters', async () => {
    const { error } = await search(call, { location: { radius_km: 5 }, query: 'spa' })
    expect(error).toMatchObject({ code: 'validation_error', errors: [{ field: 'location.coordinates' }] })
  })

  describe('what is malformed', () => {
    test.each([
      ['[REG-047]', { deployment_mode: 'both' }, 'validation_error'],
      ['[REG-049]', around(-1), 'validation_error'],
      ['[REG-049]', { location: { coordinates: { lat: 1 } } }, 'invalid_request'],
      ['[REG-049]', { location: { coordinates: { lng: 1 }, radius_km: 5 } }, 'invalid_request'],
      ['[REG-049]', { location: { coordinates: { lat: 91, lng: 0 } } }, 'validation_error'],
      ['[REG-054]', { query: 'spa', pagination: { limit: 0 } }, 'validation_error'],
    ])('%s %j is refused as a request', async (_, input, code) => {
      expect((await search(call, input)).error?.code).toBe(code)
    })
  })
})
