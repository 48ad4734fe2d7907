import { expect, test } from 'vitest'
import { type Caller, onBothBindings } from '../support/both-bindings.ts'
import { freshDatabase } from '../support/database.ts'
import { businessWith, service, services } from '../support/definitions.ts'
import { START, testServer } from '../support/server.ts'

const server = await testServer(businessWith(services(9)))

const after = (seconds: number) => new Date(START.getTime() + seconds * 1000)
const firstCursor = async (call: Caller, input = {}): Promise<string> =>
  (await call('usp_services_list', { ...input, pagination: { limit: 2 } })).payload.pagination.cursor
const page = (call: Caller, cursor: string, input = {}) =>
  call('usp_services_list', { ...input, pagination: { limit: 2, cursor } })

onBothBindings(server, (call) => {
  test.each([59, 15 * 60])('[CAT-012] [PAG-016] a cursor still opens its page after %i seconds', async (seconds) => {
    server.time.now = START
    const cursor = await firstCursor(call)
    server.time.now = after(seconds)
    const { payload } = await page(call, cursor)
    expect(payload.services.map(({ id }: { id: string }) => id)).toEqual(['svc_002', 'svc_003'])
  })

  test('[CAT-013] [PAG-017] [PAG-020] [LIV-013] a cursor past its life is refused; without it the list starts over', async () => {
    server.time.now = START
    const cursor = await firstCursor(call)
    server.time.now = after(60 * 60 + 1)
    expect((await page(call, cursor)).error?.code).toBe('cursor_expired')
    expect((await call('usp_services_list')).payload.services).toHaveLength(9)
  })

  test('[CAT-014] [CAT-015] [PAG-018] [LIV-013] no altered, invented or foreign cursor opens a page', async () => {
    server.time.now = START
    const cursor = await firstCursor(call)
    const altered = [...cursor].map(
      (letter, at) => cursor.slice(0, at) + (letter === 'A' ? 'B' : 'A') + cursor.slice(at + 1),
    )
    const feed = (await call('usp_services_feed', { limit: 1 })).payload.pagination.next_cursor
    const invented = Buffer.from(JSON.stringify([START.getTime(), 0, 0, 0])).toString('base64url')
    for (const bad of [...altered, feed, invented, `${cursor}.`, `${cursor}=`, 'x', '.', '..', ' ', '0', 'null'])
      expect((await page(call, bad)).error?.code, bad).toBe('cursor_expired')
  })

  test('[PAG-019] [LIV-013] a cursor is of use only with the filters it was issued for', async () => {
    server.time.now = START
    const cursor = await firstCursor(call, { filters: { type: 'appointment' } })
    expect((await page(call, cursor, { filters: { type: 'group' } })).error?.code).toBe('cursor_expired')
    expect((await page(call, cursor)).error?.code).toBe('cursor_expired')
    expect((await page(call, cursor, { filters: { type: 'appointment' } })).payload.services).toHaveLength(2)
  })
})

test('[LIV-013] a cursor that opens no page is HTTP 400 and -32602', async () => {
  const input = { pagination: { cursor: 'x' } }
  const { status, body } = await server.rest('POST', '/services/list', input)
  expect([status, body.code]).toEqual([400, 'cursor_expired'])
  const { error } = (await server.tool('usp_services_list', input)).body
  expect([error.code, error.data.code]).toEqual([-32602, 'cursor_expired'])
})

test('[PAG-021] a cursor outlives the server that issued it', async () => {
  const databaseUrl = await freshDatabase()
  const before = await testServer(businessWith(services(4)), { databaseUrl })
  const { body } = await before.rest('POST', '/services/list', { pagination: { limit: 2 } })
  const restarted = await testServer(undefined, { databaseUrl })
  const next = await restarted.rest('POST', '/services/list', {
    pagination: { limit: 2, cursor: body.pagination.cursor },
  })
  expect(next.body.services.map(({ id }: { id: string }) => id)).toEqual(['svc_002', 'svc_003'])
})

test('[PAG-023] services that come or go between two pages repeat or skip no other', async () => {
  const all = services(6)
  const changing = await testServer(businessWith(all))
  const first = await changing.rest('POST', '/services/list', { pagination: { limit: 3 } })
  const [gone, ...rest] = all
  expect(gone?.id).toBe('svc_000')
  await changing.apply(businessWith([service('svc_new'), ...rest]))
  const { body } = await changing.rest('POST', '/services/list', {
    pagination: { limit: 10, cursor: first.body.pagination.cursor },
  })
  expect(body.services.map(({ id }: { id: string }) => id)).toEqual(['svc_003', 'svc_004', 'svc_005', 'svc_new'])
})
