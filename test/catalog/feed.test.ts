import { expect, test } from 'vitest'
import { type Caller, onBothBindings } from '../support/both-bindings.ts'
import { businessWith, service, services } from '../support/definitions.ts'
import { START, testServer } from '../support/server.ts'

const two = await testServer(businessWith(services(2)))
const many = await testServer(businessWith(services(53)))

interface Item {
  state: string
  modified_at: string
  data: { id: string; status?: string; name?: string }
}

const idsOf = (items: Item[]) => items.map(({ data }) => data.id)

onBothBindings(many, (call) => {
  test('[FEED-001] [FEED-006] [PAG-009] without cursor and limit the feed begins with its 50 oldest records', async () => {
    const { payload } = await call('usp_services_feed')
    expect(Object.keys(payload).sort()).toEqual(['feed_meta', 'items', 'pagination', 'usp'])
    expect(idsOf(payload.items)).toEqual(services(50).map(({ id }) => id))
    expect(payload.pagination.has_more).toBe(true)
  })

  test('[FEED-007] [FEED-010] a page of two has more to come, and says where it ends', async () => {
    const { payload } = await call('usp_services_feed', { limit: 2 })
    expect(payload.items).toHaveLength(2)
    expect(payload.pagination).toEqual({ cursor: expect.any(String), next_cursor: expect.any(String), has_more: true })
  })

  test('[FEED-008] a limit above the cap gets the cap at most', async () => {
    const { payload } = await call('usp_services_feed', { limit: 100_000 })
    expect(payload.items).toHaveLength(53)
  })

  test('[FEED-002] [FEED-014] [FEED-018] following the feed yields each record once, by time and then by id', async () => {
    const items = await follow(call, 7)
    expect(idsOf(items)).toEqual(services(53).map(({ id }) => id))
    expect(new Set(items.map(({ modified_at }) => modified_at)).size).toBe(1)
  })

  test('[FEED-012] a null cursor means the beginning', async () => {
    const { payload } = await call('usp_services_feed', { cursor: null, limit: 1 })
    expect(idsOf(payload.items)).toEqual(['svc_000'])
  })

  test('[FEED-011] [FEED-013] [FEED-015] the last page ends in a position that finds nothing until something changes', async () => {
    const last = (await call('usp_services_feed', { limit: 200 })).payload.pagination
    expect(last).toEqual({ cursor: null, next_cursor: expect.any(String), has_more: false })
    const { payload } = await call('usp_services_feed', { cursor: last.next_cursor })
    expect(payload.items).toEqual([])
    expect(payload.pagination).toEqual(last)
  })

  test('[FEED-003] [FEED-004] a record has its state, its time and the whole service', async () => {
    const { payload } = await call('usp_services_feed', { limit: 1 })
    const { service } = (await call('usp_services_get', { service_id: 'svc_000' })).payload
    expect(payload.items).toEqual([{ state: 'updated', modified_at: '2026-11-20T07:00:00.000-05:00', data: service }])
  })

  test('[FEED-024] [FEED-025] [FEED-027] the feed says how fresh, how large and how well it is', async () => {
    const { payload } = await call('usp_services_feed', { limit: 1 })
    expect(payload.feed_meta).toEqual({
      feed_generated_at: '2026-11-20T07:00:00-05:00',
      total_services: 53,
      feed_status: 'healthy',
    })
  })

  test('[FEED-032] a position kept for days still resumes', async () => {
    const { next_cursor: cursor } = (await call('usp_services_feed', { limit: 50 })).payload.pagination
    many.time.now = new Date(START.getTime() + 30 * 24 * 3600 * 1000)
    expect(idsOf((await call('usp_services_feed', { cursor })).payload.items)).toEqual([
      'svc_050',
      'svc_051',
      'svc_052',
    ])
    many.time.now = START
  })

  test('[FEED-033] [LIV-013] an altered, invented or foreign position is refused', async () => {
    const { next_cursor } = (await call('usp_services_feed', { limit: 1 })).payload.pagination
    const { cursor } = (await call('usp_services_list', { pagination: { limit: 1 } })).payload.pagination
    const elsewhere = (await call('usp_services_feed', { limit: 1, location_id: 'loc_x' })).payload.pagination
      .next_cursor
    for (const bad of [`${next_cursor}x`, `A${next_cursor}`, cursor, elsewhere, 'now'])
      expect((await call('usp_services_feed', { cursor: bad })).error?.code).toBe('cursor_expired')
  })

  test('[FEED-034] the feed needs neither agent nor credential', async () => {
    expect((await call('usp_services_feed')).error).toBeUndefined()
  })
})

test.each(['0', '-1', 'abc', '1.5', ''])('[FEED-009] a REST limit of %j is refused and named', async (limit) => {
  const { status, body } = await two.rest('GET', `/services/feed?limit=${limit}`)
  expect(status).toBe(422)
  expect(body).toMatchObject({ code: 'validation_error', errors: [{ field: 'limit' }] })
})

test('[FEED-016] [FEED-017] an edited service moves to the end, in its new state', async () => {
  const server = await testServer(businessWith(services(3)))
  const before = (await server.rest('GET', '/services/feed')).body
  await server.apply(businessWith([service('svc_000', { name: 'Edited' }), ...services(3).slice(1)]))
  const polled = (await server.rest('GET', `/services/feed?cursor=${before.pagination.next_cursor}`)).body
  expect(polled.items).toHaveLength(1)
  expect(polled.items[0]).toMatchObject({ state: 'updated', data: { id: 'svc_000', name: 'Edited' } })
  expect(polled.items[0].modified_at > before.items[0].modified_at).toBe(true)
  expect(idsOf((await server.rest('GET', '/services/feed')).body.items)).toEqual(['svc_001', 'svc_002', 'svc_000'])
})

test('[FEED-005] [FEED-020] [FEED-021] [FEED-026] a removed service leaves a tombstone; defined again it is back after it', async () => {
  const server = await testServer(businessWith(services(2)))
  const first = (await server.rest('GET', '/services/feed?limit=1')).body.pagination.next_cursor
  await server.apply(businessWith(services(1)))
  const gone = (await server.rest('GET', `/services/feed?cursor=${first}`)).body
  expect(gone.items).toEqual([
    { state: 'deleted', modified_at: expect.any(String), data: { id: 'svc_001', business_id: 'biz_test' } },
  ])
  expect(gone.feed_meta.total_services).toBe(1)
  expect((await server.rest('GET', '/services/svc_001')).status).toBe(404)
  expect((await server.rest('POST', '/services/list')).body.services).toHaveLength(1)

  await server.apply(businessWith(services(2)))
  const back = (await server.rest('GET', `/services/feed?cursor=${gone.pagination.next_cursor}`)).body
  expect(back.items).toMatchObject([{ state: 'updated', data: { id: 'svc_001' } }])
  expect(back.feed_meta.total_services).toBe(2)
})

test('[FEED-022] a definition that changes nothing moves no record', async () => {
  const server = await testServer(businessWith(services(3)))
  const before = (await server.rest('GET', '/services/feed')).body
  server.time.now = new Date(START.getTime() + 60_000)
  await server.apply(businessWith(services(3)))
  expect((await server.rest('GET', '/services/feed')).body.items).toEqual(before.items)
})

test('[FEED-023] a suspended service is an updated record that says so', async () => {
  const server = await testServer(businessWith(services(1)))
  await server.apply(businessWith([service('svc_000', { status: 'suspended' })]))
  const { items, feed_meta } = (await server.rest('GET', '/services/feed')).body
  expect(items).toMatchObject([{ state: 'updated', data: { id: 'svc_000', status: 'suspended' } }])
  expect(feed_meta.total_services).toBe(1)
})

test('a clock that was set back never lets a record precede one already read', async () => {
  const server = await testServer(businessWith(services(2)))
  const { next_cursor } = (await server.rest('GET', '/services/feed')).body.pagination
  server.time.now = new Date(START.getTime() - 3_600_000)
  await server.apply(businessWith([service('svc_000', { name: 'Edited' }), ...services(2).slice(1)]))
  expect(idsOf((await server.rest('GET', `/services/feed?cursor=${next_cursor}`)).body.items)).toEqual(['svc_000'])
})

const locations = ['loc_a', 'loc_b'].map((id) => ({ id, name: id }))
const places = (a: string[], b: string[]) =>
  businessWith([service('svc_a', { locations: a }), service('svc_b', { locations: b })], { locations })
const byLocation = await testServer(places(['loc_a'], ['loc_a', 'loc_b']))
await byLocation.apply(places(['loc_a'], ['loc_b']))

onBothBindings(byLocation, (call) => {
  const read = async (location_id: string): Promise<Item[]> =>
    (await call('usp_services_feed', { location_id })).payload.items

  test('[FEED-029] a location keeps the feed to the services offered there', async () => {
    expect(await read('loc_b')).toMatchObject([{ state: 'updated', data: { id: 'svc_b' } }])
  })

  test('[FEED-030] a service that left the location reads as deleted there', async () => {
    expect(await read('loc_a')).toMatchObject([
      { state: 'updated', data: { id: 'svc_a' } },
      { state: 'deleted', data: { id: 'svc_b', business_id: 'biz_test' } },
    ])
  })

  test('[FEED-031] a location that does not exist has an empty feed', async () => {
    expect(await read('loc_none')).toEqual([])
  })
})

async function follow(call: Caller, limit: number): Promise<Item[]> {
  const items: Item[] = []
  for (let cursor: string | null = null, more = true; more; ) {
    const { payload } = await call('usp_services_feed', { cursor, limit })
    items.push(...payload.items)
    cursor = payload.pagination.cursor
    more = payload.pagination.has_more
  }
  return items
}
