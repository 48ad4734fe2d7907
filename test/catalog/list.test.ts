import { expect, test } from 'vitest'
import { type Caller, onBothBindings } from '../support/both-bindings.ts'
import { businessWith, service, services } from '../support/definitions.ts'
import { testServer } from '../support/server.ts'

const server = await testServer(businessWith(services(25)))
const seven = await testServer(businessWith(services(7)))

test('[CAT-001] a list with an empty object answers with usp, services and pagination', async () => {
  const { status, body } = await server.rest('POST', '/services/list', {})
  expect(status).toBe(200)
  expect(Object.keys(body).sort()).toEqual(['pagination', 'services', 'usp'])
  expect(Object.keys(body.pagination).sort()).toEqual(['cursor', 'has_more'])
})

test('[CAT-002] a list without any body answers as one with an empty object', async () => {
  const bare = await server.rest('POST', '/services/list')
  const empty = await server.rest('POST', '/services/list', {})
  expect(bare.status).toBe(200)
  expect(bare.body.services).toEqual(empty.body.services)
})

onBothBindings(server, (call) => {
  test('[CAT-005] [PAG-007] without a limit a page has 20 services', async () => {
    const { payload } = await call('usp_services_list')
    expect(payload.services).toHaveLength(20)
    expect(payload.pagination.has_more).toBe(true)
  })

  test('[CAT-010] [PAG-012] a limit above the cap is lowered to it', async () => {
    const { payload } = await call('usp_services_list', { pagination: { limit: 100_000 } })
    expect(payload.services).toHaveLength(25)
    expect(payload.pagination.has_more).toBe(false)
  })

  test('[CAT-011] [PAG-013] [PAG-014] a limit that is no positive whole number is refused and named', async () => {
    for (const limit of [0, -1, 2.5, '3']) {
      const { error } = await call('usp_services_list', { pagination: { limit } })
      expect(error).toMatchObject({ code: 'validation_error', errors: [{ field: 'pagination.limit' }] })
    }
  })

  test('[CAT-009] [PAG-015] a null cursor means the first page, as a missing one does', async () => {
    const first = await call('usp_services_list')
    const nulled = await call('usp_services_list', { pagination: { cursor: null } })
    expect(nulled.payload.services).toEqual(first.payload.services)
  })
})

onBothBindings(seven, (call) => {
  test('[CAT-006] [PAG-011] a limit of 3 over 7 services gives 3 and a cursor', async () => {
    const { payload } = await call('usp_services_list', { pagination: { limit: 3 } })
    expect(payload.services).toHaveLength(3)
    expect(payload.pagination).toEqual({ cursor: expect.stringMatching(/./), has_more: true })
  })

  test.each([1, 2, 7, undefined])(
    '[CAT-007] [CAT-008] [PAG-003] [PAG-005] pages of %s yield each service once',
    async (limit) => {
      const { ids, pages } = await walk(call, limit)
      expect(ids).toEqual([...new Set(ids)])
      expect(ids).toHaveLength(7)
      for (const page of pages.slice(0, -1)) expect(page).toEqual({ cursor: expect.any(String), has_more: true })
      expect(pages.at(-1)).toEqual({ cursor: null, has_more: false })
    },
  )

  test('[PAG-004] [CAT-037] an empty result is a last page, not an error', async () => {
    for (const filters of [{ type: 'rental' }, { category_id: 'none' }, { location_id: 'loc_none' }]) {
      const { payload } = await call('usp_services_list', { filters })
      expect(payload).toMatchObject({ services: [], pagination: { cursor: null, has_more: false } })
      expect(payload).not.toHaveProperty('messages')
    }
  })
})

test('[PAG-001] [PAG-006] the page is asked for and told of inside `pagination`', async () => {
  const { body } = await seven.rest('POST', '/services/list', { limit: 2, pagination: { limit: 3 } })
  expect(body.services).toHaveLength(3)
  expect(body.pagination.cursor).toBeTypeOf('string')
})

test('an answer shows a change made a moment before, though it may be kept by whoever asked', async () => {
  const changing = await testServer(businessWith([service('svc_a')]))
  await changing.apply(businessWith([service('svc_a', { name: 'Renamed' })]))
  const { body } = await changing.rest('GET', '/services/svc_a')
  expect(body.service.name).toBe('Renamed')
})

async function walk(call: Caller, limit: number | undefined) {
  const ids: string[] = []
  const pages: { cursor: string | null }[] = []
  let cursor: string | null = null
  do {
    const { payload }: { payload: { services: { id: string }[]; pagination: { cursor: string | null } } } = await call(
      'usp_services_list',
      { pagination: { cursor, ...(limit !== undefined && { limit }) } },
    )
    ids.push(...payload.services.map(({ id }) => id))
    pages.push(payload.pagination)
    cursor = payload.pagination.cursor
  } while (cursor !== null)
  return { ids, pages }
}
