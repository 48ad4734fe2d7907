import type { RequestListener } from 'node:http'
import { setTimeout as pass } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type IndexShop, indexServer, indexShop } from './index-shop.ts'
import { fed } from './services.ts'

const server = await indexServer()
const updated = (data: object) => ({ state: 'updated', modified_at: '2026-11-20T12:00:00Z', data })
const service = fed('svc_odd')

describe('an item of a feed that is no service', () => {
  const items: [what: string, item: unknown][] = [
    ['is nothing', null],
    ['is a text', 'service'],
    ['has no data', { state: 'updated' }],
    ['has no state', { data: service }],
    ['has a state of its own', { state: 'paused', data: service }],
    ['lacks its policies', updated({ ...service, policies: undefined })],
    ['has an id without end', updated({ ...service, id: 'x'.repeat(10_000) })],
    ['has a number for an id', updated({ ...service, id: 7 })],
    ['has a price in words', updated({ ...service, pricing: { model: 'fixed', amount: 'much', currency: 'USD' } })],
    ['holds a NUL character', updated({ ...service, name: 'a\0b' })],
    ['holds half a character', updated({ ...service, description: 'a\ud800b' })],
    ['holds half a character where nobody looks', updated({ ...service, metadata: { '\udc00': 1 } })],
  ]
  test.each(items)('and %s is left out and counted, and the others are indexed', async (_, item) => {
    const shop = await indexShop(server)
    shop.business.put(fed('a'))
    shop.business.add(item)
    shop.business.put(fed('b'))
    await shop.read()
    expect(await shop.indexed()).toEqual(['a', 'b'])
    expect((await shop.registration()).index_problem).toBe('1 of 3 items of the feed are not valid services.')
  })

  test('takes what was known of it out of the index', async () => {
    const shop = await indexShop(server)
    shop.business.put(fed('a'), fed('b'))
    await shop.read()
    shop.business.forget('a')
    shop.business.add(updated({ id: 'a', name: 'broken' }))
    await shop.readLater()
    expect(await shop.indexed()).toEqual(['b'])
  })
})

test('values that no column holds count as nothing, and do no harm to their page', async () => {
  const shop = await indexShop(server)
  const odd = [
    { pricing: { model: 'fixed' as const, amount: 1e300, currency: 'USD' } },
    { duration: { fixed: 'P99999999999Y' } },
    { availability_hint: { summary: 'x', generated_at: '2026-11-20T12:00:00Z', next_available_date: '0000-01-01' } },
    { locations: [{ coordinates: { lat: 1e300, lng: -1e300 } }] },
    { description: `${'𠀀'.repeat(61)} ${'ﷺ'.repeat(20_000)}` },
    { tags: Array.from({ length: 10_000 }, (_, index) => `tag${index}`) },
    { categories: Array.from({ length: 500 }, (_, index) => ({ taxonomy: 'merchant', id: `c${index}` })) },
  ]
  shop.business.put(fed('plain'), ...odd.map((more, index) => fed(`odd_${index}`, more)))
  await shop.read()
  expect((await shop.indexed()).length).toBe(odd.length + 1)
  expect(await shop.row('odd_0')).toMatchObject({ price_from: null, price_to: null })
  expect((await shop.row('odd_6')).category_ids).toHaveLength(50)
})

test('[LIV-091] a day in a hint without bitmaps is passed on, and is no day to rank by', async () => {
  const shop = await indexShop(server)
  const freeOn = (next_available_date: string) => ({
    availability_hint: { summary: '-', generated_at: '2026-11-20T12:00:00Z', next_available_date },
  })
  shop.business.put(fed('past', freeOn('2025-02-28')), fed('soon', freeOn('2026-11-21')), fed('unhinted'))
  await shop.read()
  expect(await shop.row('past')).toMatchObject({ openings: null, body: freeOn('2025-02-28') })
  const days = await Promise.all(
    ['past', 'soon', 'unhinted'].map(async (id) => (await shop.row(id)).next_available_date),
  )
  expect(new Set(days.map(String)).size).toBe(1)
})

const json = (status: number, body: unknown, headers: object = {}): RequestListener => {
  return (_, response) => void response.writeHead(status, { ...headers }).end(JSON.stringify(body))
}
const page = (more: object) => ({
  items: [updated(fed('b'))],
  pagination: { cursor: null, next_cursor: 'n', has_more: false },
  feed_meta: { feed_generated_at: '', total_services: 1, feed_status: 'healthy' },
  ...more,
})

describe('a feed that cannot be read', () => {
  const failures: [what: string, answer: RequestListener, problem: string | RegExp][] = [
    ['answers with an error', json(500, {}), 'The feed answered 500.'],
    ['leads elsewhere', json(302, {}, { location: 'https://127.0.0.1/' }), 'The feed answered 302.'],
    ['breaks off', (request) => void request.socket.destroy(), /did not answer/],
    ['breaks off in the middle', (_, response) => void response.write('{', () => response.destroy()), /did not answer/],
    ['is no JSON', (_, response) => void response.end('<html>'), /not JSON/],
    ['is too large', (_, response) => void response.end('x'.repeat(5 * 1024 * 1024)), /more than/],
    ['has too many values', json(200, page({ more: Array(60_000).fill(0) })), /not JSON, or it is too large/],
    ['is too deep', (_, response) => void response.end('['.repeat(100_000)), /not JSON, or it is too large/],
    ['is no feed', json(200, {}), /not a page of a feed/],
    ['has no items', json(200, page({ items: {} })), /not a page of a feed/],
    ['has more items than it may', json(200, page({ items: Array(1001).fill(null) })), /not a page of a feed/],
    ['has no pagination', json(200, page({ pagination: null })), /not a page of a feed/],
    [
      'goes on where nothing can be kept',
      json(200, page({ pagination: { next_cursor: 'a\0b', has_more: true } })),
      /no usable cursor/,
    ],
    [
      'goes on at a place without end',
      json(200, page({ pagination: { next_cursor: 'n'.repeat(3000), has_more: true } })),
      /no usable cursor/,
    ],
    ['goes on without telling where', json(200, page({ pagination: { has_more: true } })), /no usable cursor/],
  ]
  test.each(failures)('because it %s is a problem of its own, and what was known stays', async (_, answer, problem) => {
    const shop = await indexShop(server)
    shop.business.put(fed('a'))
    await shop.read()
    shop.business.answer = answer
    await shop.readLater()
    expect(await shop.indexed()).toEqual(['a'])
    const { index_problem, index_failures, feed_cursor, leased_until } = await shop.registration()
    expect(index_problem).toMatch(problem)
    expect({ index_failures, feed_cursor, leased_until }).toEqual({
      index_failures: 1,
      feed_cursor: '1',
      leased_until: null,
    })
    expect(shop.logged.join('')).not.toContain('"level":50')

    shop.business.answer = undefined
    shop.business.put(fed('c'))
    shop.minutesLater(5)
    await shop.read()
    expect(await shop.indexed()).toEqual(['a', 'c'])
    expect(await shop.registration()).toMatchObject({ index_problem: null, index_failures: 0 })
  })

  test('because it goes round in circles is left after a while', async () => {
    const shop = await indexShop(server)
    let count = 0
    shop.business.answer = (_, response) =>
      void response.end(JSON.stringify(page({ pagination: { next_cursor: `n${++count % 2}`, has_more: true } })))
    await shop.read()
    expect(count).toBeLessThan(50)
    expect(await shop.minutesToNext()).toBe(10)
  })

  test('because it takes too long is given up in good time', async () => {
    const shop = await indexShop(server)
    shop.business.answer = async (_, response) => {
      for (let count = 0; count < 40 && !response.destroyed; count++) {
        response.write(' ')
        await pass(500)
      }
    }
    const begun = performance.now()
    await shop.read()
    expect(performance.now() - begun).toBeLessThan(12_000)
    expect((await shop.registration()).index_problem).toMatch(/did not answer/)
  })

  const waits = async (shop: IndexShop, times: number) => {
    const minutes: number[] = []
    for (let count = 0; count < times; count++) {
      await shop.read()
      const wait = await shop.minutesToNext()
      minutes.push(wait)
      shop.minutesLater(wait)
    }
    return minutes
  }

  test('is tried less and less often, up to once a day', async () => {
    const shop = await indexShop(server)
    shop.business.answer = json(503, {})
    expect(await waits(shop, 11)).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 1280, 1440, 1440])
  })

  test.each<[what: string, retryAfter: () => string, minutes: number]>([
    ['seconds', () => '7200', 120],
    ['a date', () => new Date(Date.now() + 3 * 3_600_000).toUTCString(), 180],
    ['more than a day', () => '999999', 1440],
    ['less than it waits anyway', () => '1', 5],
    ['no time at all', () => 'soon', 5],
  ])('is left alone for as long as it asks: %s', async (_, retryAfter, minutes) => {
    const shop = await indexShop(server)
    shop.business.answer = json(429, {}, { 'retry-after': retryAfter() })
    await shop.read()
    expect(Math.round(await shop.minutesToNext())).toBe(minutes)
  })
})

test('a feed that ends without a place to resume from is read from the beginning each time', async () => {
  const shop = await indexShop(server)
  shop.business.answer = json(200, page({ pagination: { cursor: null, has_more: false } }))
  await shop.read()
  shop.business.answer = json(200, page({ items: [updated(fed('c'))], pagination: { cursor: null, has_more: false } }))
  await shop.readLater()
  expect(await shop.indexed()).toEqual(['c'])
})

test('a business without a REST binding cannot be indexed, and that is said', async () => {
  const shop = await indexShop(server)
  await shop.runtime.db.updateTable('registrations').set({ endpoint: null }).execute()
  await shop.read()
  expect((await shop.registration()).index_problem).toBe('The business does not answer over REST.')
})

test.each([
  ['inside', 'https://169.254.169.254/usp', /not on the public internet/],
  ['without TLS', 'http://shop.example/usp', /must be an https URL/],
  ['that is none', 'https://[::1', /has no address/],
])('an address %s is not called, whatever the profile says', async (_, endpoint, problem) => {
  const shop = await indexShop(server)
  await shop.runtime.db.updateTable('registrations').set({ endpoint }).execute()
  await shop.read()
  expect((await shop.registration()).index_problem).toMatch(problem)
})

test('[no stored value stalls the server] a catalogue of ever new words is known by the first of them', async () => {
  const shop = await indexShop(server)
  const description = (from: number) =>
    Array.from({ length: 1_500 }, (_, index) => `zq${(from * 1_500 + index).toString(36)}`).join(' ')
  shop.business.put(
    ...Array.from({ length: 40 }, (_, index) => fed(`words_${index}`, { description: description(index) })),
  )
  await shop.read()
  expect(await shop.indexed()).toHaveLength(40)
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer from registry_words where word like 'zq%'`.execute(server.runtime.db)
  expect(rows[0]?.count).toBeGreaterThan(15_000)
  expect(rows[0]?.count).toBeLessThanOrEqual(20_000)
})
