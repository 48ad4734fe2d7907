import { expect, test } from 'vitest'
import { onBothBindings } from '../support/both-bindings.ts'
import { businessWith, service, services } from '../support/definitions.ts'
import { testServer } from '../support/server.ts'

const server = await testServer(
  businessWith([
    ...services(60),
    service('svc_paused', { name: 'Paused', status: 'suspended' }),
    service('svc_past', { status: 'archived' }),
  ]),
)
const SERVICE_NOT_FOUND = 'https://usp-protocol.dev/errors/service-not-found'
const ids = services(60).map(({ id }) => id)

onBothBindings(server, (call) => {
  test('[CAT-046] a known id answers with the whole service', async () => {
    const { payload } = await call('usp_services_get', { service_id: 'svc_001' })
    expect(payload.usp.version).toBe('2026-08-20')
    expect(payload.service).toMatchObject({ id: 'svc_001', name: 'Service svc_001', pricing: { amount: 7500 } })
  })

  test('[CAT-047] [CAT-048] an unknown id is a protocol error that names it', async () => {
    const { error, payload } = await call('usp_services_get', { service_id: 'svc_none' })
    expect(payload).toBeUndefined()
    expect(error).toMatchObject({ code: 'service_not_found', content: expect.stringContaining('svc_none') })
  })

  test('[CAT-050] get, list, lookup and feed show one service alike', async () => {
    const got = (await call('usp_services_get', { service_id: 'svc_000' })).payload.service
    const listed = (await call('usp_services_list')).payload.services[0]
    const looked = (await call('usp_services_lookup', { ids: ['svc_000'] })).payload.services[0]
    const fed = (await call('usp_services_feed')).payload.items[0].data
    expect([listed, looked, fed]).toEqual([got, got, got])
  })

  test('[CAT-051] a service that cannot be booked at present says so', async () => {
    const { payload } = await call('usp_services_get', { service_id: 'svc_paused' })
    expect(payload.service.status).toBe('suspended')
    expect(payload.messages).toEqual([
      { type: 'info', code: 'service_suspended', content: 'Paused cannot be booked at present.' },
    ])
  })

  test('an archived service leaves the list and can still be read', async () => {
    const { payload } = await call('usp_services_list', { pagination: { limit: 100 } })
    const listed = payload.services.map(({ id }: { id: string }) => id)
    expect(listed).toContain('svc_paused')
    expect(listed).not.toContain('svc_past')
    expect((await call('usp_services_get', { service_id: 'svc_past' })).payload.service.status).toBe('archived')
  })

  test('[CAT-052] fifty ids bring fifty services', async () => {
    const { payload } = await call('usp_services_lookup', { ids: ids.slice(0, 50) })
    expect(payload.services).toHaveLength(50)
    expect(payload).not.toHaveProperty('messages')
  })

  test('[CAT-053] a repeated id brings its service once and no remark', async () => {
    const { payload } = await call('usp_services_lookup', { ids: ['svc_001', 'svc_001', 'svc_002', 'svc_001'] })
    expect(payload.services.map(({ id }: { id: string }) => id).sort()).toEqual(['svc_001', 'svc_002'])
    expect(payload).not.toHaveProperty('messages')
  })

  test('[CAT-054] [CAT-055] [CAT-056] [LIV-009] each unknown id gets two warnings with its place: only a lookup still says service_not_found', async () => {
    const { payload } = await call('usp_services_lookup', { ids: ['no_a', 'svc_001', 'no_b', 'no_a', 'no_c'] })
    expect(payload.services).toHaveLength(1)
    expect(payload.messages).toEqual(
      ['$.ids[0]', '$.ids[2]', '$.ids[4]'].flatMap((path) =>
        ['service_not_found', 'service_unresolved'].map((code) => ({
          type: 'warning',
          code,
          path,
          content: expect.stringMatching(/no_[abc]/),
        })),
      ),
    )
  })

  test('[CAT-057] only unknown ids still answer, with no services', async () => {
    const { payload } = await call('usp_services_lookup', { ids: ['no_a'] })
    expect(payload.services).toEqual([])
    expect(payload.messages).toHaveLength(2)
  })

  test('[CAT-058] [CAT-059] no ids at all are refused', async () => {
    const empty = await call('usp_services_lookup', { ids: [] })
    expect(empty.error).toMatchObject({ code: 'validation_error', errors: [{ field: 'ids' }] })
    const missing = await call('usp_services_lookup', {})
    expect(missing.error).toMatchObject({ code: 'invalid_request', errors: [{ field: 'ids', message: 'is missing' }] })
  })

  test('[CAT-060] [CAT-061] 200 ids are accepted; above that the refusal names the maximum', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => `svc_${index}`)
    expect((await call('usp_services_lookup', { ids: many(200) })).error).toBeUndefined()
    const { error } = await call('usp_services_lookup', { ids: many(201) })
    expect(error).toMatchObject({ code: 'validation_error', content: expect.stringContaining('200') })
  })
})

test('[CAT-047] [LIV-002] [LIV-007] [LIV-008] an unknown id is a problem of its own type on REST, and its JSON-RPC error on MCP', async () => {
  const detail = expect.stringContaining('svc_none')
  const { status, headers, body } = await server.rest('GET', '/services/svc_none')
  expect([status, headers['content-type']]).toEqual([404, expect.stringMatching(/^application\/problem\+json(;|$)/)])
  expect(body).toEqual({
    type: SERVICE_NOT_FOUND,
    title: 'Service not found',
    status: 404,
    code: 'service_not_found',
    detail,
    instance: expect.any(String),
  })
  const told = (await server.tool('usp_services_get', { service_id: 'svc_none' })).body
  expect(told).not.toHaveProperty('result')
  expect(told.error).toMatchObject({ code: -32602, data: { code: 'service_not_found' } })
})

test.each([
  ['by letter case', 'SVC_001'],
  ['by its end', 'svc_0010'],
  ['by its beginning', 'svc_00'],
  ['by a pattern', 'svc_%25'],
  ['by a path', 'svc_001%2F..'],
  ['by being a word', 'bookings'],
  ['by being a UUID', '0b4cbd3c-6d5c-4f5f-9a4e-3f8a7a1d2c6e'],
  ['by 3,000 letters', 'x'.repeat(3_000)],
  ['by 15,000 letters', 'x'.repeat(15_000)],
  ['by letters beyond ASCII', encodeURIComponent('sérvice_日本_🦊')],
  ['by 1,000 letters beyond ASCII', encodeURIComponent('é'.repeat(1_000))],
  ['by a control character', 'svc_001%0A'],
  ['by a NUL character', 'svc_001%00'],
  ['by being a NUL character', '%00'],
])('[CAT-047] [LIV-002] [LIV-007] [LIV-022] an id that differs %s is unknown', async (_, id) => {
  const { status, body } = await server.rest('GET', `/services/${id}`)
  expect([status, body.type, body.title]).toEqual([404, SERVICE_NOT_FOUND, 'Service not found'])
  const { error } = (await server.tool('usp_services_get', { service_id: decodeURIComponent(id) })).body
  expect([error.code, error.data.code]).toEqual([-32602, 'service_not_found'])
})

test('[LIV-007] an id with a lone surrogate is unknown to the tool', async () => {
  const { error } = (await server.tool('usp_services_get', { service_id: 'svc_001\ud800' })).body
  expect([error.code, error.data.code]).toEqual([-32602, 'service_not_found'])
})

// A path with an invalid percent-encoding has no segments, so the server cannot find the route of the request.
test.each(['%FF', 'svc_001%FF', '%ED%A0%80', '%', '%zz'])(
  '[LIV-007] a path with the invalid percent-encoding %s is no id of a service: 400',
  async (id) => {
    const { status, body } = await server.raw({ method: 'GET', url: `/usp/v1/services/${id}` })
    expect([status, body.code]).toEqual([400, 'invalid_request'])
  },
)

test('[CAT-058] [CAT-059] [CAT-060] on REST they carry their HTTP status', async () => {
  expect((await server.rest('POST', '/services/lookup', { ids: [] })).status).toBe(422)
  expect((await server.rest('POST', '/services/lookup', {})).status).toBe(400)
  expect((await server.rest('POST', '/services/lookup', { ids: Array(201).fill('x') })).status).toBe(422)
})

test('[CAT-059] on MCP a missing parameter is -32600', async () => {
  expect((await server.tool('usp_services_lookup', {})).body.error.code).toBe(-32600)
})

test('[CAT-092] reads say how long they may be kept', async () => {
  for (const path of ['/services/svc_001', '/services/feed']) {
    const { headers } = await server.rest('GET', path)
    expect(headers['cache-control']).toBe('public, max-age=60')
    expect(headers.etag).toMatch(/^W\/"[\w-]{22}"$/)
  }
})
