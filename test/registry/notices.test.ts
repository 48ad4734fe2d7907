import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { businessWith } from '../support/definitions.ts'
import { testKey, testPlatform } from '../support/platform.ts'
import { changed, digestOf, ORIGIN, type Outgoing, published, type Signing, signed } from '../support/sign.ts'
import { type IndexShop, indexShop } from './index-shop.ts'
import { fed } from './services.ts'

const key = testKey('ES256')
const shop = await indexShop()
const { db } = shop.runtime
// Who signs is read from the same members of a profile, whoever publishes it.
const profile = await testPlatform({ keys: [published('k1', key)] })
await sql`update registrations set profile_url = ${profile.url}`.execute(db)

const PATH = '/usp/v1/registry/notices'
const event = { event: 'service.updated', event_id: 'evt_1', service_id: 'svc_1', subscription_id: 'sub_1' }
const noticeTo = (id: string, body = JSON.stringify(event)): Outgoing => ({
  method: 'POST',
  target: `${PATH}/${id}`,
  headers: { 'content-type': 'application/json', 'content-digest': digestOf(body) },
  body,
})
const at = (secondsAgo: number) => Math.floor(shop.time.now.getTime() / 1000) - secondsAgo
const signing = (more: Partial<Signing> = {}): Signing => ({
  key: key.private,
  parameters: `;keyid="k1";created=${at(0)};alg="ecdsa-p256-sha256"`,
  ...more,
})
const send = ({ raw }: Pick<IndexShop, 'raw'>, { method, target, headers, body }: Outgoing) =>
  raw({ method, url: target, headers: { host: new URL(ORIGIN).host, ...headers }, payload: body })
const notices = async () => (await shop.registration()).notices

test.each(['%00', 'reg_%00', '%25%00'])('a notice to %s is for nobody', async (id) => {
  const { status, body } = await send(shop, noticeTo(id))
  expect([status, body.code]).toEqual([404, 'registration_not_found'])
})

test('[REG-090] a notice that the business signed has it read at once, and nothing it says is taken for true', async () => {
  shop.business.put(fed('svc_1', { name: 'True' }))
  await shop.read()
  shop.business.put(fed('svc_1', { name: 'Truer' }))
  const told = JSON.stringify({ ...event, data: fed('svc_1', { name: 'False' }) })
  shop.minutesLater(1)
  expect((await send(shop, signed(noticeTo(shop.id, told), signing()))).status).toBe(204)
  await shop.read()
  expect((await shop.row('svc_1')).body.service_name).toBe('Truer')
  expect(await shop.registration()).toMatchObject({ notices: 1, notices_heeded: 1 })
})

test('a notice of a business with a UCP profile counts as well', async () => {
  const { usp, ...members } = profile.profile
  const native = await testPlatform()
  native.profile = { ucp: { ...Object(usp), version: '2026-01-11' }, ...members }
  const other = await indexShop()
  await sql`update registrations set profile_url = ${native.url}, deployment_mode = 'ucp_native'`.execute(
    other.runtime.db,
  )
  expect((await send(other, signed(noticeTo(other.id), signing()))).status).toBe(204)
})

describe('a notice that the business did not sign is refused and changes nothing:', () => {
  const good = () => noticeTo(shop.id)
  const signedBy = (more: Partial<Signing>) => signed(good(), signing(more))
  const without = (name: string) => changed(good(), { [name]: undefined })
  const forgeries: [what: string, make: () => Outgoing, status: number, code: string][] = [
    ['unsigned', good, 401, 'signature_missing'],
    ['signed with another key', () => signedBy({ key: testKey('ES256').private }), 401, 'signature_invalid'],
    ['by a key nobody published', () => signedBy({ parameters: `;keyid="k2";created=${at(0)}` }), 401, 'key_not_found'],
    ['without a time', () => signedBy({ parameters: ';keyid="k1"' }), 401, 'signature_invalid'],
    ['too old', () => signedBy({ parameters: `;keyid="k1";created=${at(301)}` }), 401, 'signature_expired'],
    ['with another body', () => ({ ...signedBy({}), body: '{}' }), 400, 'digest_mismatch'],
    ['without a digest', () => signed(without('content-digest'), signing()), 401, 'signature_missing'],
    [
      'with a digest that is not signed',
      () => signedBy({ components: ['@method', '@authority', '@path', 'content-type'] }),
      401,
      'signature_missing',
    ],
    ['for another host', () => signedBy({ values: { '@authority': 'other.example' } }), 401, 'signature_invalid'],
    [
      'for another business',
      () => ({ ...signed(noticeTo('reg_0'), signing()), target: `${PATH}/${shop.id}` }),
      401,
      'signature_invalid',
    ],
  ]
  test.each(forgeries)('%s', async (_, make, status, code) => {
    const before = await shop.registration()
    const answer = await send(shop, make())
    expect([answer.status, answer.body.code]).toEqual([status, code])
    expect(await shop.registration()).toEqual(before)
  })
})

test('of one that is not listed, or in a registry that is switched off, nothing is known', async () => {
  const strange = await send(shop, signed(noticeTo('reg_none'), signing()))
  expect([strange.status, strange.body.code]).toEqual([404, 'registration_not_found'])
  const off = await indexShop()
  await off.apply(businessWith([]))
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  for (const url of [`${PATH}/${off.id}`, '/usp/v1/registry/profile'])
    for (const method of ['GET', 'POST'] as const)
      expect([method, url, (await off.raw({ method, url })).status]).toEqual([method, url, 404])
})

test('what is told while the business is read is not lost, and brings about another reading a little later', async () => {
  const before = shop.business.cursors().length
  shop.business.before = async () => {
    shop.business.before = undefined
    await send(shop, signed(noticeTo(shop.id), signing()))
  }
  await shop.readLater()
  const reads = () => shop.business.cursors().length - before
  expect(reads()).toBe(1)
  await shop.read()
  expect(reads()).toBe(1)
  shop.minutesLater(0.1)
  await shop.read()
  await shop.read()
  expect(reads()).toBe(2)
})

test('many notices are one reading, and none at all of a business that is not shown', async () => {
  shop.minutesLater(1)
  const before = shop.business.cursors().length
  for (let count = 0; count < 5; count++) await send(shop, signed(noticeTo(shop.id), signing()))
  await shop.read()
  await shop.read()
  expect(shop.business.cursors().length - before).toBe(1)
  shop.minutesLater(1)
  await send(shop, signed(noticeTo(shop.id), signing()))
  await sql`update registrations set status = 'inactive'`.execute(db)
  await shop.read()
  expect(shop.business.cursors().length - before).toBe(1)
  expect(await notices()).toBeGreaterThan(6)
})

test('a registry shows as a platform what it can use and how it signs, for as long as anybody may keep that', async () => {
  const { status, headers, body } = await shop.raw({ method: 'GET', url: '/usp/v1/registry/profile' })
  expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=300'])
  const own = await shop.rest('GET', '/.well-known/usp')
  expect(body.keys).toEqual(own.body.keys)
  expect(body.signing_keys).toEqual(body.keys)
  expect(Object.keys(body.usp.capabilities)).toEqual([
    'dev.usp-protocol.services.catalog',
    'dev.usp-protocol.services.catalog.subscriptions',
  ])
})

test('an address that sent too many forgeries is heard no more for a while, and has no profile read', async () => {
  const site = await testPlatform({ keys: [published('k1', key)] })
  const other = await indexShop()
  other.time.now = new Date(shop.time.now)
  await other.apply(businessWith([], { registry: { enabled: true }, limits: { failed_authentications: 3 } }))
  await expect.poll(async () => (await other.runtime.business.get())?.limits).toBeDefined()
  await sql`update registrations set profile_url = ${site.url}`.execute(other.runtime.db)
  for (let count = 0; count < 3; count++) expect((await send(other, noticeTo(other.id))).status).toBe(401)
  const { fetched } = site
  await sql`update registrations set profile_url = ${`${site.url}?another`}`.execute(other.runtime.db)
  const { status, body } = await send(other, signed(noticeTo(other.id), signing()))
  expect([status, body.code, site.fetched]).toEqual([429, 'rate_limited', fetched])
  other.minutesLater(1)
  expect((await send(other, signed(noticeTo(other.id), signing()))).status).toBe(204)
})
