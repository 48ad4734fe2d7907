import { expect, test } from 'vitest'
import { addStaff } from '../../src/core/authentication/staff-members.ts'
import type { Operation } from '../../src/protocol/define-operation.ts'
import { BusinessRefusal, ProtocolError } from '../../src/protocol/errors.ts'
import { operations } from '../../src/server/all-operations.ts'
import { businessWith, service } from '../support/definitions.ts'
import { type Handle, testOperation } from '../support/operation.ts'
import { START, testServer } from '../support/server.ts'

const kept = ['/services/svc_one', '/services/feed', '/services/feed?limit=1'] as const

const start = (more: Parameters<typeof testServer>[1] = {}) =>
  testServer(businessWith([service('svc_one'), service('svc_two')]), more)
const server = await start()

async function etagOf(path: string) {
  const { status, headers } = await server.rest('GET', path)
  expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=60'])
  return headers.etag ?? ''
}

test.each(kept)('GET %s carries an entity tag that stays while the answer does', async (path) => {
  const etag = await etagOf(path)
  expect(etag).toMatch(/^W\/"[\w-]+"$/)
  server.time.now = new Date(START.getTime() + 3_600_000)
  expect(await etagOf(path)).toBe(etag)
})

test.each(kept)('GET %s with the tag it answered before gives 304 and nothing else', async (path) => {
  const etag = await etagOf(path)
  for (const known of [etag, etag.slice(2), `"other", ${etag}`, `"other",${etag.slice(2)}`, '*']) {
    const { status, headers } = await server.rest('GET', path, undefined, { 'if-none-match': known })
    expect({ known, status }).toEqual({ known, status: 304 })
    expect(headers).toMatchObject({ etag, 'cache-control': 'public, max-age=60' })
    expect(headers).not.toHaveProperty('content-type')
  }
})

test.each(kept)('GET %s with another tag gives the whole answer', async (path) => {
  for (const known of ['"other"', 'W/"other"', 'nonsense', '']) {
    const { status, body } = await server.rest('GET', path, undefined, { 'if-none-match': known })
    expect({ known, status, whole: 'usp' in body }).toEqual({ known, status: 200, whole: true })
  }
})

test.each(['/services/svc_one', '/services/feed'])('a change of the service changes the tag of %s', async (path) => {
  const changing = await start()
  const before = (await changing.rest('GET', path)).headers.etag ?? ''
  await changing.apply(businessWith([service('svc_one', { name: 'Renamed' }), service('svc_two')]))
  const after = await changing.rest('GET', path, undefined, { 'if-none-match': before })
  expect(after.status).toBe(200)
  expect(after.headers.etag).not.toBe(before)
})

test.each(kept)('HEAD %s has the headers of GET and no body', async (path) => {
  const { headers: got } = await server.rest('GET', path)
  const { status, headers, body } = await server.raw({ method: 'HEAD', url: `/usp/v1${path}` })
  expect([status, body]).toEqual([200, ''])
  for (const name of ['etag', 'cache-control', 'content-type', 'content-length'])
    expect({ [name]: headers[name] }).toEqual({ [name]: got[name] })
})

test.each(kept)('HEAD %s with a known tag gives 304, as GET does', async (path) => {
  const headers = { 'if-none-match': await etagOf(path) }
  expect((await server.raw({ method: 'HEAD', url: `/usp/v1${path}`, headers })).status).toBe(304)
})

const privileged = [
  ['POST', 'privileged_platform'],
  ['GET', 'privileged_scoped'],
  ['DELETE', 'business_only'],
] as const
let handle: Handle = async () => ({})
const probes = privileged.map(([method, access]) =>
  testOperation(access, {
    rest: `${method} /${access}`,
    access,
    handle: (context, prepared) => handle(context, prepared),
  }),
)
const guarded = await testServer(businessWith([service('svc_one')], { authorization: { sandbox: true } }), {
  operations: [...operations, ...probes],
})
const staff = { authorization: `Bearer ${await addStaff(guarded.runtime.db, 'Jo', 'staff', START)}` }

test.each(privileged)('[TLS-017] the answer to %s of a %s call is kept by nobody', async (method, access) => {
  const outcomes: [number, Operation['handle']][] = [
    [200, async () => ({})],
    [200, () => Promise.reject(new BusinessRefusal('slot_unavailable', 'Somebody was faster.'))],
    [409, () => Promise.reject(new ProtocolError('idempotency_conflict', 'Another call had this key.'))],
    [500, () => Promise.reject(new Error('a fault of ours'))],
  ]
  for (const [expected, outcome] of outcomes) {
    handle = outcome
    const { status, headers } = await guarded.rest(
      method,
      `/${access}`,
      undefined,
      access === 'business_only' ? staff : {},
    )
    expect([status, headers['cache-control']]).toEqual([expected, 'no-store'])
    expect((await guarded.tool(`usp_${access}`)).headers['cache-control']).toBe('no-store')
  }
})
