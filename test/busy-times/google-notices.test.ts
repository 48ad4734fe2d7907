import { beforeEach, expect, test } from 'vitest'
import { readDueCalendars } from '../../src/domain/busy-times/source-worker.ts'
import { START } from '../support/server.ts'
import { ANN, at, googleShop } from './google-shop.ts'

const DAY = '2026-11-24'
const on = await googleShop({ BASE_URL: 'https://salon.example' })
const { shop, google, connect, starts, callsOf, readLater, listed, rest, clear } = on
google.now = () => shop.time.now.getTime()

beforeEach(async () => {
  await clear()
  shop.time.now = START
  google.intercept = undefined
  google.reset(ANN)
  google.notices.length = 0
})

/** Takes the notices to the server, and lets it read what is due. Returns the statuses of the answers. */
async function deliver(): Promise<number[]> {
  const statuses = []
  for (const notice of google.notices.splice(0)) statuses.push((await shop.inject(notice)).statusCode)
  await readDueCalendars(shop.runtime)
  return statuses
}

test('[calendars at Google] a notice leads to a read at once, and its first one only opens the channel', async () => {
  google.put(ANN, 'one', at(DAY, 9))
  expect(await callsOf(connect)).toContain('/events/watch')
  expect(google.notices.map(({ url, headers }) => [url, headers['x-goog-resource-state']])).toEqual([
    ['/calendar-notices/google', 'sync'],
  ])
  expect(await callsOf(deliver)).toEqual([])
  google.put(ANN, 'two', at(DAY, 10))
  expect(await callsOf(async () => expect(await deliver()).toEqual([204]))).toEqual([
    ...['/token', '/users/me/calendarList', '/events'],
  ])
  expect(await starts()).toEqual(['11-24 09:00', '11-24 10:00'])
  // Without a notice, it is read every ten minutes as before.
  google.put(ANN, 'three', at(DAY, 11))
  google.notices.length = 0
  await readLater()
  expect(await starts()).toHaveLength(3)
})

test('[activepieces PR 13425] a channel has a wished lifetime, and is renewed before it ends, without a gap', async () => {
  await connect()
  const [first] = google.channels()
  expect(first?.until).toBe(START.getTime() + 7 * 86_400_000)
  await readLater(5 * 24 * 60)
  expect(google.channels()).toEqual([first])
  await readLater(12 * 60)
  const renewed = google.channels()
  expect(renewed).toHaveLength(1)
  expect(renewed).not.toEqual([first])
  google.notices.length = 0
  google.put(ANN, 'one', at('2026-12-24', 9))
  expect(await deliver()).toEqual([204])
  expect(await starts()).toEqual(['12-24 09:00'])
})

test('[calendars at Google] the whole read of each week, and a lost sync token, keep the channel', async () => {
  await connect()
  const before = google.channels()
  google.expireTokens(ANN)
  await readLater()
  expect(google.channels()).toEqual(before)
})

test('[calendars at Google] a calendar for which Google opens no channel is read every ten minutes', async () => {
  google.intercept = (path) => (path.endsWith('/watch') ? { status: 400, body: {} } : undefined)
  google.put(ANN, 'one', at(DAY, 9))
  const id = await connect()
  expect(await listed(rest, id)).toMatchObject({ state: 'read' })
  expect(await callsOf(readLater)).not.toContain('/events/watch')
  google.intercept = undefined
  await readLater(6 * 60)
  expect(google.channels()).toHaveLength(1)
})

test('[calendars at Google] only the secret of its own channel is accepted, and who forges it is counted', async () => {
  await connect()
  await deliver()
  google.put(ANN, 'one', at(DAY, 9))
  const [notice] = google.notices.splice(0)
  if (!notice) throw new Error('There is no notice.')
  const other = await connectedElsewhere()
  for (const headers of [
    {},
    { ...notice.headers, 'x-goog-channel-token': '' },
    { ...notice.headers, 'x-goog-channel-token': 'made up' },
    { ...notice.headers, 'x-goog-channel-token': other.headers['x-goog-channel-token'] },
    { ...notice.headers, 'x-goog-channel-id': `${notice.headers['x-goog-channel-id']}x` },
  ]) {
    const answer = await callsOf(async () => {
      expect((await shop.inject({ ...notice, headers })).statusCode).toBe(400)
      await readDueCalendars(shop.runtime)
    })
    expect(answer).toEqual([])
  }
  expect((await shop.inject({ ...notice, method: 'GET' })).statusCode).toBe(405)
  expect((await shop.inject(notice)).statusCode).toBe(204)
})

/** A notice for another source. */
async function connectedElsewhere() {
  await connectFor('staff_ben')
  const [notice] = google.notices.splice(0)
  if (!notice) throw new Error('There is no notice.')
  return notice
}

async function connectFor(resource_id: string) {
  await on.call('connect', { resource_id, account: { provider: 'google', refresh_token: google.refreshToken(ANN) } })
  await readDueCalendars(shop.runtime)
}

test('[calendars at Google] a notice about a calendar that was disconnected is not found', async () => {
  const id = await connect()
  google.notices.length = 0
  google.put(ANN, 'one', at(DAY, 9))
  await on.call('disconnect', { source_id: id })
  expect(await deliver()).toEqual([404])
})

test('[calendars at Google] while reading fails, notices do not shorten the pause', async () => {
  const id = await connect()
  await deliver()
  google.intercept = (path) => (path.endsWith('/events') ? { status: 429, body: '' } : undefined)
  await readLater()
  const { next_read_at } = await listed(rest, id)
  google.put(ANN, 'one', at(DAY, 9))
  expect(await callsOf(deliver)).toEqual([])
  expect((await listed(rest, id)).next_read_at).toBe(next_read_at)
})

test('[cal.diy 10818] a notice during a read leads to one more read', async () => {
  await connect()
  await deliver()
  google.put(ANN, 'one', at(DAY, 9))
  const [notice] = google.notices.splice(0)
  google.intercept = async (path) => {
    if (!path.endsWith('/events') || !notice) return undefined
    google.intercept = undefined
    shop.time.now = new Date(shop.time.now.getTime() + 1_000)
    expect((await shop.inject(notice)).statusCode).toBe(204)
    return undefined
  }
  const calls = await callsOf(async () => {
    await readLater()
    await readDueCalendars(shop.runtime)
  })
  expect(calls.filter((path) => path === '/events')).toHaveLength(2)
})
