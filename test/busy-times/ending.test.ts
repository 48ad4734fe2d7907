import { setTimeout as pass } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import { reseal } from '../../src/core/keys/reencrypt-stored-secrets.ts'
import { endDueAccess } from '../../src/domain/busy-times/oauth/end-access.ts'
import { resealAddresses } from '../../src/domain/busy-times/reseal-addresses.ts'
import { readDueCalendars } from '../../src/domain/busy-times/source-worker.ts'
import { applyDefinition } from '../../src/domain/definition/apply-definition.ts'
import { SECRET, START } from '../support/server.ts'
import { salon } from './connected-shop.ts'
import { ANN, at, googleShop } from './google-shop.ts'
import { APP, microsoftStandIn } from './microsoft.ts'

const BEN = 'ben@outlook.com'
const microsoft = await microsoftStandIn()
const on = await googleShop({ BASE_URL: 'https://salon.example', MICROSOFT_API_BASE: microsoft.origin })
const { shop, google, owner, rest, mcp, call, clear, readLater } = on
const { db } = shop.runtime
for (const provider of [google, microsoft]) provider.now = () => shop.time.now.getTime()
microsoft.reach = async (url) => {
  const { statusCode, headers, body } = await shop.inject({ method: 'POST', url })
  return { status: statusCode, type: String(headers['content-type']), body }
}
await rest.call('usp_business_calendar_apps_set', { provider: 'microsoft', ...APP }, { as: owner })

beforeEach(async () => {
  await clear()
  await db.deleteFrom('ended_calendars').execute()
  shop.time.now = START
  for (const provider of [google, microsoft]) provider.intercept = undefined
  google.reset(ANN)
  microsoft.reset(BEN)
})

/** Connects an account with this token, and reads it. Returns the id of the source. */
async function connectWith(provider: string, refresh_token: string, resource_id = 'staff_ann'): Promise<string> {
  const { data } = await call('connect', { resource_id, account: { provider, refresh_token } })
  await readDueCalendars(shop.runtime)
  return data.source.id
}

const ending = () => db.selectFrom('ended_calendars').selectAll().execute()

/** Ends the access of disconnected calendars, so many minutes later. Returns the calls at both providers. */
async function endLater(minutes = 0): Promise<string[]> {
  for (const provider of [google, microsoft]) provider.calls.length = 0
  shop.minutesLater(minutes)
  await endDueAccess(shop.runtime)
  return [...google.calls, ...microsoft.calls]
}

describe.each([
  ['REST', rest],
  ['MCP', mcp],
] as const)('[a disconnected calendar] over %s', (_, desk) => {
  test('has no channel at Google, and its token is revoked there', async () => {
    const token = google.refreshToken(ANN)
    google.makeCalendar(ANN, 'Family')
    const id = await connectWith('google', token)
    expect(google.channels()).toHaveLength(2)
    await call('disconnect', { source_id: id }, desk)
    expect(await endLater()).toEqual(['/token', '/channels/stop', '/channels/stop', '/revoke'])
    expect(google.channels()).toEqual([])
    expect(google.isValid(token)).toBe(false)
    expect(await ending()).toEqual([])
  })

  test('has no subscription at Microsoft, which has no call to revoke the token', async () => {
    const id = await connectWith('microsoft', microsoft.refreshToken(BEN))
    expect(microsoft.subscriptions()).toHaveLength(1)
    await call('disconnect', { source_id: id }, desk)
    expect(await endLater()).toEqual(['/common/oauth2/v2.0/token', '/subscriptions/…'])
    expect(microsoft.subscriptions()).toEqual([])
    expect(await ending()).toEqual([])
  })
})

test('[a person who leaves the business] has no channels either', async () => {
  await connectWith('google', google.refreshToken(ANN))
  await connectWith('microsoft', microsoft.refreshToken(BEN))
  const [, ben] = salon.resources ?? []
  const without = {
    ...salon,
    resources: ben ? [ben] : [],
    services: (salon.services ?? [])
      .filter(({ id }) => id === 'svc_cut')
      .map((one) => ({ ...one, resources: [{ type: 'staff' as const, options: ['staff_ben'], selectable: true }] })),
  }
  await applyDefinition(db, without, shop.time.now)
  expect(await db.selectFrom('calendar_sources').select('id').execute()).toEqual([])
  await endLater()
  expect([google.channels(), microsoft.subscriptions(), await ending()]).toEqual([[], [], []])
  await applyDefinition(db, salon, shop.time.now)
})

test('[a disconnection] does not wait for the provider, which gets five attempts; then the token is deleted', async () => {
  const token = google.refreshToken(ANN)
  const id = await connectWith('google', token)
  let isHanging = true
  google.intercept = async () => {
    while (isHanging) await pass(10)
    return undefined
  }
  const { data } = await call('disconnect', { source_id: id })
  expect(data.source.id).toBe(id)
  isHanging = false
  const attempts = []
  google.intercept = () => ({ status: 503, body: '' })
  for (const minutes of [0, 1, 10, 60, 240]) {
    expect(await endLater(minutes - 1)).toEqual([])
    attempts.push(...(await endLater(1)))
    await db.updateTable('ended_calendars').set({ leased_until: null }).execute()
  }
  expect(attempts).toEqual(Array.from({ length: 5 }, () => '/token'))
  expect(await ending()).toEqual([])
  expect(google.isValid(token)).toBe(true)
})

test('[a process that is killed] during the last attempt leaves no token', async () => {
  await call('disconnect', { source_id: await connectWith('google', google.refreshToken(ANN)) })
  await db.updateTable('ended_calendars').set({ begun: 5 }).execute()
  expect(await endLater()).toEqual([])
  expect(await ending()).toEqual([])
})

test('[a disconnected calendar] is closed completely after an attempt that failed halfway', async () => {
  google.makeCalendar(ANN, 'Family')
  const id = await connectWith('google', google.refreshToken(ANN))
  await call('disconnect', { source_id: id })
  let calls = 0
  google.intercept = () => (++calls === 3 ? { status: 500, body: '' } : undefined)
  await endLater()
  expect(google.channels()).toHaveLength(1)
  await db.updateTable('ended_calendars').set({ leased_until: null }).execute()
  await endLater(1)
  expect([google.channels(), await ending()]).toEqual([[], []])
})

test('[an account of two people] keeps its access until the last of them is disconnected', async () => {
  const [first, second] = [google.refreshToken(ANN), google.refreshToken(ANN)]
  const ids = [await connectWith('google', first), await connectWith('google', second, 'staff_ben')]
  await call('disconnect', { source_id: ids[0] ?? '' })
  expect(await endLater()).toEqual(['/token', '/channels/stop'])
  google.put(ANN, 'one', at('2026-11-24', 9))
  await readLater()
  expect(await on.starts()).toEqual(['11-24 09:00'])
  expect(google.channels()).toHaveLength(1)
  await call('disconnect', { source_id: ids[1] ?? '' })
  await endLater()
  expect([google.channels(), google.isValid(second)]).toEqual([[], false])
})

test.each([
  ['that Google has revoked before', () => google.revoke(ANN), ['/token', '/revoke']],
  ['without an app', () => on.setApp({ client_id: undefined }), ['/revoke']],
])('[a disconnected calendar] %s is given up at once', async (_, spoil, calls) => {
  const id = await connectWith('google', google.refreshToken(ANN))
  await spoil()
  await call('disconnect', { source_id: id })
  expect(await endLater()).toEqual(calls)
  expect(await ending()).toEqual([])
  await on.setApp()
})

test('[an account that is connected again] gets new channels, and the former ones are closed', async () => {
  google.makeCalendar(ANN, 'Family')
  await connectWith('google', google.refreshToken(ANN))
  const former = google.channels().map(({ id }) => id)
  await connectWith('google', google.refreshToken(ANN))
  const next = google.channels().map(({ id }) => id)
  expect(next).toHaveLength(2)
  expect(next.filter((id) => former.includes(id))).toEqual([])
  await connectWith('microsoft', microsoft.refreshToken(BEN))
  await connectWith('microsoft', microsoft.refreshToken(BEN))
  expect(microsoft.subscriptions()).toHaveLength(1)
})

test('[a calendar that no longer blocks time] has no channel; if the provider does not close it, the next read does', async () => {
  const family = google.makeCalendar(ANN, 'Family')
  await connectWith('google', google.refreshToken(ANN))
  google.removeCalendar(ANN, family)
  google.intercept = (path) => (path === '/channels/stop' ? { status: 500, body: '' } : undefined)
  await readLater()
  expect(google.channels()).toHaveLength(2)
  google.intercept = undefined
  await readLater()
  expect(google.channels().map(({ calendar }) => calendar)).toEqual([ANN])
})

test('[a secret key can be changed] and the access of a disconnected calendar is sealed anew, or deleted', async () => {
  const token = google.refreshToken(ANN)
  await call('disconnect', { source_id: await connectWith('google', token) })
  const next = 'another'.repeat(10)
  await reseal(db, { former: SECRET, next }, [resealAddresses])
  expect(await ending()).toHaveLength(1)
  await reseal(db, { former: next, next: SECRET }, [resealAddresses])
  await endLater()
  expect([google.isValid(token), await ending()]).toEqual([false, []])
  await call('disconnect', { source_id: await connectWith('google', google.refreshToken(ANN)) })
  await db
    .updateTable('ended_calendars')
    .set({ address: Buffer.from('sealed by an unknown key') })
    .execute()
  await reseal(db, { former: SECRET, next: SECRET }, [resealAddresses])
  expect(await ending()).toEqual([])
})

test('[a disconnected calendar] of an address or a CalDAV account has nothing to end', async () => {
  const { source } = await on.busy(rest, [])
  await call('disconnect', { source_id: source.id })
  expect(await ending()).toEqual([])
})
