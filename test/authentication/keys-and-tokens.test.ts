import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  addClient,
  clientOfKey,
  listClients,
  revokeClient,
  rotateCredentials,
} from '../../src/core/authentication/api-keys.ts'
import { addStaff, listStaff, revokeStaff, staffOfToken } from '../../src/core/authentication/staff-members.ts'
import { operations } from '../../src/server/all-operations.ts'
import { businessWith, service, services } from '../support/definitions.ts'
import { testPlatform } from '../support/platform.ts'
import { START, testServer } from '../support/server.ts'

const server = await testServer(businessWith([service('svc_a')]))
const { db } = server.runtime
const platform = await testPlatform()
const agent = { 'usp-agent': `profile="${platform.url}"` }
const body = { callback_url: 'https://127.0.0.1:9443/hook' }

const subscribe = async (token: string) =>
  (await server.rest('POST', '/services/feed/subscriptions', body, { ...agent, authorization: `Bearer ${token}` }))
    .status

const subscribeByTool = async (credential: string) => {
  const authorization = { mechanism: 'api_key', credential }
  const { body: said } = await server.tool('usp_services_feed_subscribe', {
    ...body,
    _meta: { usp: { profile: platform.url, authorization } },
  })
  return said.error?.data.code
}

test('[AUT-082] [AUT-083] [AUT-084] a key that the operator made opens privileged operations until it is revoked', async () => {
  const { id, key } = await addClient(db, 'Known', START)
  expect([await subscribe(key), await subscribeByTool(key)]).toEqual([201, undefined])
  expect(await revokeClient(db, id)).toBe(true)
  expect([await subscribe(key), await subscribeByTool(key)]).toEqual([401, 'authentication_required'])
  expect(await subscribe(`usk_${'x'.repeat(43)}`)).toBe(401)
})

test('[AUT-085] after a rotation both keys work until the overlap ends, then the new one alone', async () => {
  const { id, key } = await addClient(db, 'Rotating', START)
  const ends = new Date(START.getTime() + 1000)
  const { key: newer } = await rotateCredentials(db, id, ends, START)
  const owners = (at: Date) => Promise.all([key, newer].map((one) => clientOfKey(db, one, at)))
  expect(await owners(START)).toEqual([id, id])
  expect(await owners(ends)).toEqual([undefined, id])
})

test('[AUT-086] keys and staff tokens are stored as their hashes alone', async () => {
  const { key } = await addClient(db, 'Hashed', START)
  const token = await addStaff(db, 'Jo', 'staff', START)
  const stored = JSON.stringify([
    await db.selectFrom('api_keys').selectAll().execute(),
    await db.selectFrom('staff').selectAll().execute(),
    await listClients(db),
    await listStaff(db),
  ])
  for (const secret of [key, token]) expect(stored).not.toContain(secret)
  const rows = await db.selectFrom('staff').select('token_hash').execute()
  expect(rows.map(({ token_hash }) => token_hash?.toString('hex'))).toContain(
    createHash('sha256').update(token).digest('hex'),
  )
})

test('[AUT-087] what a Bearer value is, its form tells: a scoped credential is tried as nothing else', async () => {
  const { id } = await addClient(db, 'Confused', START)
  const value = `bsc_${'k'.repeat(43)}`
  // Even a key that had this very value would not count.
  await db
    .insertInto('api_keys')
    .values({
      id: 'key_bsc',
      client_id: id,
      key_hash: createHash('sha256').update(value).digest(),
      created_at: START,
      kind: 'api_key',
    })
    .execute()
  expect(await subscribe(value)).toBe(401)
})

test('[AUT-095] [AUT-096] a staff token opens no platform operation, and nothing at all once it is revoked', async () => {
  const token = await addStaff(db, 'Sam', 'owner', START)
  expect(await subscribe(token)).toBe(401)
  const { id = '', role } = (await staffOfToken(db, token)) ?? {}
  expect(id).toMatch(/^stf_/)
  expect(role).toBe('owner')
  expect(await revokeStaff(db, id)).toBe(true)
  expect(await revokeStaff(db, id)).toBe(false)
  expect(await staffOfToken(db, token)).toBeUndefined()
})

test('[AUT-001] the profile is served whatever a caller shows', async () => {
  const shown = [
    {},
    { authorization: 'Bearer nonsense' },
    { authorization: 'DPoP bsc_x', dpop: 'not.a.proof' },
    { signature: 'sig=:AAAA:', 'signature-input': 'sig=("@method");keyid="none"' },
    { 'usp-agent': '???' },
  ]
  for (const headers of shown)
    expect((await server.rest('GET', '/.well-known/usp', undefined, headers)).status).toBe(200)
})

test('[BSC-040] nothing is offered to revoke a credential with', () => {
  // The staff revoke addresses of calendars; platforms have nothing to revoke.
  for (const { id, rest, tool } of operations.filter(({ access }) => access !== 'business_only'))
    expect(`${id} ${rest} ${tool}`).not.toMatch(/revoke|credential/i)
})

test('[LIM-001] [LIM-002] fifty ids can be looked up in one call; more than the maximum cannot', async () => {
  const many = await testServer(businessWith(services(50)))
  const ids = services(50).map(({ id }) => id)
  expect((await many.rest('POST', '/services/lookup', { ids })).body.services).toHaveLength(50)
  expect((await many.rest('POST', '/services/lookup', { ids: Array(201).fill('svc_a') })).status).toBe(422)
})
