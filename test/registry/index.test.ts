import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { cachedBusiness } from '../../src/core/business/definition-facts.ts'
import { crawlDue } from '../../src/domain/registry/indexing/crawl-due-catalogues.ts'
import { rfc3339Exact } from '../../src/infra/time/time-zone.ts'
import type { Service } from '../../src/protocol/types.generated.ts'
import { businessWith } from '../support/definitions.ts'
import { freeAt, ruler } from './hints.ts'
import { indexServer, indexShop } from './index-shop.ts'
import { fed } from './services.ts'
import { standInBusiness } from './stand-in-business.ts'

const HOUR = 60
const server = await indexServer()

describe('a catalogue', () => {
  test('[LIV-033] [LIV-035] of services without a booking window is read, and nothing is put in its place', async () => {
    const shop = await indexShop(server)
    const { booking_window: _, ...open } = fed('a').policies
    const half = { ...open, booking_window: { max_advance: 'P30D' } }
    shop.business.put(fed('none', { policies: open }), fed('half', { policies: half }))
    await shop.read()
    expect(await shop.indexed()).toEqual(['half', 'none'])
    expect(JSON.stringify(await shop.row('none'))).not.toMatch(/booking_window|advance|slot_interval/)
  })

  test('[LIV-090] keeps services whose hints are malformed, and passes on only what is valid', async () => {
    const shop = await indexShop(server)
    const { availability_hint: good } = freeAt(['2026-11-24T10'])
    const hints: Record<string, unknown> = {
      empty_day: { ...good, next_available_date: '' },
      empty_list: { ...good, slot_bitmaps: [] },
      no_starts: { ...good, slot_bitmaps: [ruler([], { slot_count: 0 })] },
      no_object: 'Free.',
      nothing: null,
      unreadable: { ...good, slot_bitmaps: [ruler([], { bitmap: 'A' })] },
      endless: { ...good, summary: 'x'.repeat(20_000) },
      good,
    }
    const services = Object.entries(hints).map(([id, availability_hint]) => ({ ...fed(id), availability_hint }))
    shop.business.put(...(services as Service[]))
    await shop.read()
    expect(await shop.registration()).toMatchObject({ index_problem: null })
    expect(await shop.indexed()).toEqual(Object.keys(hints).sort())
    const passedOn = await Promise.all(
      Object.keys(hints).map(async (id) => ((await shop.row(id)).body.availability_hint ? [id] : [])),
    )
    expect(passedOn.flat()).toEqual(['unreadable', 'good'])
    const ranked = await Promise.all(
      Object.keys(hints).map(async (id) => ((await shop.row(id)).openings === null ? [] : [id])),
    )
    expect(ranked.flat()).toEqual(['good'])
  })

  test('[REG-067] [REG-091] is read page after page from the beginning, then what is new once an hour', async () => {
    const shop = await indexShop(server)
    const { business } = shop
    business.feed.pageSize = 2
    business.put(...['a', 'b', 'c', 'd', 'e'].map((id) => fed(id)))
    await shop.read()
    expect(await shop.indexed()).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(business.cursors()).toEqual([null, '2', '4'])
    expect(await shop.registration()).toMatchObject({
      feed_cursor: '5',
      reading_since: null,
      indexed_at: shop.time.now,
      index_problem: null,
      leased_until: null,
    })
    shop.minutesLater(HOUR - 1)
    await shop.read()
    expect(business.cursors()).toHaveLength(3)

    business.put(fed('b', { name: 'Renamed' }), fed('f'))
    shop.minutesLater(1)
    await shop.read()
    expect(business.cursors().slice(3)).toEqual(['5'])
    expect(await shop.indexed()).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
    expect((await shop.row('b')).body.service_name).toBe('Renamed')
    expect((await shop.registration()).indexed_at).toEqual(shop.time.now)
    const { body } = await shop.rest('POST', '/registry/search_services', { verticals: ['appointment'] })
    const times = new Set(body.services.map((hit: { last_indexed_at: string }) => hit.last_indexed_at))
    expect([body.services.length, [...times]]).toEqual([6, [rfc3339Exact('America/New_York', shop.time.now)]])
  })

  test('[LIV-046] [LIV-050] amounts in digits are read like numbers, and sent as numbers', async () => {
    const shop = await indexShop(server)
    const pricing = (amount: unknown, min: unknown, value: unknown) => ({
      model: 'hourly',
      currency: 'USD',
      amount,
      price_range: { min, max: 9000 },
      deposit: { type: 'percentage', value },
    })
    shop.business.add({ state: 'updated', data: { ...fed('digits'), pricing: pricing('4000', '4000', '12.5') } })
    shop.business.add({ state: 'updated', data: { ...fed('numbers'), pricing: pricing(4000, 4000, 12.5) } })
    const unreadable = ['4e3', '4,000', '+4000', '4000.0', '9'.repeat(400)]
    for (const [nth, amount] of unreadable.entries())
      shop.business.add({ state: 'updated', data: { ...fed(`odd_${nth}`), pricing: pricing(amount, 1, 1) } })
    await shop.read()
    expect(await shop.indexed()).toEqual(['digits', 'numbers'])
    const [digits, numbers] = [await shop.row('digits'), await shop.row('numbers')]
    expect(digits).toMatchObject({ price_from: numbers.price_from, price_to: numbers.price_to })
    expect(digits.body.pricing).toEqual(numbers.body.pricing)
    const { body } = await shop.rest('POST', '/registry/search_services', {
      price_range: { min: '9000', currency: 'USD' },
    })
    expect(body.services.map(({ pricing }: { pricing: object }) => pricing)).toEqual([
      pricing(4000, 4000, 12.5),
      pricing(4000, 4000, 12.5),
    ])
  })

  test.each([
    ['[REG-091] at least every day, whatever', 7 * 24 * 3600, 24 * HOUR],
    ['every two hours when its answers hold for so long', 2 * 3600, 2 * HOUR],
    ['at most every hour, however short they hold', 0, HOUR],
  ])('is read %s', async (_, maxAge, minutes) => {
    const shop = await indexShop(server)
    shop.business.feed.maxAge = maxAge
    await shop.read()
    expect(await shop.minutesToNext()).toBe(minutes)
  })

  test('[REG-092] what is deleted, archived or suspended leaves the index with the next reading', async () => {
    const shop = await indexShop(server)
    shop.business.put(...['a', 'b', 'c', 'd'].map((id) => fed(id)), fed('e', { status: 'archived' }))
    await shop.read()
    expect(await shop.indexed()).toEqual(['a', 'b', 'c', 'd'])
    shop.business.drop('a')
    shop.business.put(fed('b', { status: 'archived' }), fed('c', { status: 'suspended' }))
    await shop.readLater()
    expect(await shop.indexed()).toEqual(['d'])
    shop.business.put(fed('c'))
    await shop.readLater()
    expect(await shop.indexed()).toEqual(['c', 'd'])
  })

  test('of several records of one service the last counts', async () => {
    const shop = await indexShop(server)
    const record = (state: string, data: object) => shop.business.add({ state, modified_at: '', data })
    record('updated', fed('a', { name: 'First' }))
    record('updated', fed('a', { name: 'Second' }))
    record('updated', fed('b'))
    record('deleted', { id: 'b' })
    await shop.read()
    expect(await shop.indexed()).toEqual(['a'])
    expect((await shop.row('a')).body.service_name).toBe('Second')
  })

  test('is read to its end although that takes more than one go', async () => {
    const shop = await indexShop(server)
    shop.business.feed.pageSize = 1
    shop.business.put(...Array.from({ length: 41 }, (_, index) => fed(`svc_${index}`)))
    await shop.read()
    expect((await shop.indexed()).length).toBe(40)
    expect(await shop.registration()).toMatchObject({ feed_cursor: '40', indexed_at: null })
    shop.minutesLater(10)
    await shop.read()
    expect((await shop.indexed()).length).toBe(41)
    expect(shop.business.cursors().at(-1)).toBe('40')
    expect((await shop.registration()).indexed_at).toEqual(shop.time.now)
  })

  test('of a business that answers slowly only so much is read in one go that others get their turn', async () => {
    const shop = await indexShop(server)
    const { business } = shop
    business.feed.pageSize = 1
    business.put(...['a', 'b', 'c', 'd'].map((id) => fed(id)))
    business.before = async () => shop.minutesLater(0.2)
    await shop.read()
    expect(await shop.indexed()).toEqual(['a', 'b'])
    shop.minutesLater(10)
    await shop.read()
    expect(await shop.indexed()).toEqual(['a', 'b', 'c', 'd'])
    expect(business.cursors()).toEqual([null, '1', '2', '3'])
  })

  test('of one business so many services are indexed, and it says that there are more', async () => {
    const shop = await indexShop(server)
    shop.business.feed.pageSize = 1000
    shop.business.put(...Array.from({ length: 5010 }, (_, index) => fed(`svc_${String(index).padStart(4, '0')}`)))
    await shop.read()
    const first = await shop.indexed()
    expect([first.length, first.at(-1)]).toEqual([5000, 'svc_4999'])
    expect((await shop.registration()).index_problem).toContain('more services or locations than')
  })

  test('[no stored value stalls the server] so many are indexed as have ten thousand places', async () => {
    const shop = await indexShop(server)
    const locations = Array.from({ length: 50 }, (_, nth) => ({ coordinates: { lat: 40 + nth / 1e4, lng: -74 } }))
    shop.business.put(
      ...Array.from({ length: 210 }, (_, index) => fed(`svc_${String(index).padStart(3, '0')}`, { locations })),
    )
    await shop.read()
    const indexed = await shop.indexed()
    expect([indexed.length, indexed.at(-1)]).toEqual([200, 'svc_199'])
    expect((await shop.registration()).index_problem).toContain('more services or locations')
    shop.business.put(fed('svc_000', { locations: locations.slice(1) }), fed('new', { locations: locations.slice(1) }))
    await shop.readLater()
    expect(await shop.indexed()).toHaveLength(200)
  })
})

describe('a feed that lost its place', () => {
  test.each([
    ['which forgets its cursors', { knowsCursors: false }],
    ['[REG-094] which is being rebuilt', { status: 'rebuilding' }],
  ])('%s is read from the beginning, and what is not there any more goes', async (_, mishap) => {
    const shop = await indexShop(server)
    shop.business.put(fed('a'), fed('b'))
    await shop.read()
    shop.business.forget('a')
    shop.business.put(fed('c'))
    Object.assign(shop.business.feed, mishap)
    await shop.readLater()
    expect(shop.business.cursors()).toEqual([null, '2', null])
    Object.assign(shop.business.feed, { knowsCursors: true, status: 'healthy' })
    await shop.readLater()
    expect(await shop.indexed()).toEqual(['b', 'c'])
  })

  test('[REG-094] nothing is taken to be gone, and no cursor is trusted, while it is being rebuilt', async () => {
    const shop = await indexShop(server)
    const { business } = shop
    business.put(fed('a'), fed('b'))
    await shop.read()
    business.forget('a')
    business.feed.status = 'rebuilding'
    await shop.readLater()
    await shop.readLater()
    expect(business.cursors()).toEqual([null, '2', null, null])
    expect(await shop.indexed()).toEqual(['a', 'b'])
    expect((await shop.registration()).index_problem).toContain('not complete')
    business.feed.status = 'healthy'
    await shop.readLater()
    expect(business.cursors().at(-1)).toBeNull()
    expect(await shop.indexed()).toEqual(['b'])
    expect((await shop.registration()).index_problem).toBeNull()
  })

  test('what was known can be found until the new reading is at its end', async () => {
    const shop = await indexShop(server)
    const { business } = shop
    business.put(fed('a'), fed('b'), fed('c'))
    await shop.read()
    business.forget('a')
    business.put(fed('d'))
    business.feed.pageSize = 1
    const seen: string[][] = []
    business.before = async () => void seen.push(await shop.indexed())
    await sql`update registrations set feed_cursor = null`.execute(shop.runtime.db)
    await shop.readLater()
    expect(seen).toEqual([
      ['a', 'b', 'c'],
      ['a', 'b', 'c'],
      ['a', 'b', 'c'],
    ])
    expect(await shop.indexed()).toEqual(['b', 'c', 'd'])
  })

  test('one that forgets every cursor at once is a problem, and is begun anew each time', async () => {
    const shop = await indexShop(server)
    Object.assign(shop.business.feed, { pageSize: 1, knowsCursors: false })
    shop.business.put(fed('a'), fed('b'))
    await shop.read()
    expect(await shop.registration()).toMatchObject({ feed_cursor: null, index_failures: 1 })
    expect((await shop.registration()).index_problem).toContain('rejects the cursors')
    expect(shop.business.cursors()).toEqual([null, '1', null, '1'])
  })
})

describe('who reads', () => {
  test('an inactive business is not read, nor is any where the registry is switched off', async () => {
    const shop = await indexShop()
    await sql`update registrations set status = 'inactive'`.execute(shop.runtime.db)
    await shop.read()
    await sql`update registrations set status = 'active'`.execute(shop.runtime.db)
    await shop.apply(businessWith([]))
    const { runtime } = shop
    await crawlDue({ ...runtime, business: cachedBusiness(runtime.db) })
    expect(shop.business.cursors()).toEqual([])
  })

  test('several share the work, and no business is asked by two at once', async () => {
    const shop = await indexShop(server)
    const others = await Promise.all([standInBusiness(), standInBusiness(), standInBusiness()])
    const ids = await Promise.all(others.map((one) => shop.list(one)))
    const businesses = [shop.business, ...others]
    for (const business of businesses) {
      business.feed.pageSize = 1
      business.put(fed('a'), fed('b'), fed('c'))
    }
    await Promise.all([1, 2, 3, 4].map(() => crawlDue(shop.runtime)))
    for (const business of businesses) {
      expect(business.cursors()).toEqual([null, '1', '2'])
      expect(business.mostAtOnce()).toBe(1)
    }
    for (const id of ids) expect(await shop.indexed(id)).toEqual(['a', 'b', 'c'])
  })

  test('one that tells of changes all the time is not read before others whose time has come', async () => {
    const shop = await indexShop(server)
    const { business } = shop
    await shop.read()
    shop.minutesLater(1)
    const patient = await standInBusiness()
    const order: string[] = []
    business.before = async () => void order.push('noisy')
    patient.before = async () => void order.push('patient')
    await shop.list(patient)
    const { db } = shop.runtime
    await sql`update registrations set notices = 9, read_at = ${shop.time.now}::timestamptz where id = ${shop.id}`.execute(
      db,
    )
    shop.minutesLater(1)
    await shop.read()
    expect(order).toEqual(['patient', 'noisy'])
  })

  test('one that was too slow for its lease writes nothing over what another has read since', async () => {
    const shop = await indexShop(server)
    const { business } = shop
    business.put(fed('a', { name: 'Old' }))
    // The page with the old service is made by now.
    business.before = async () => {
      business.before = undefined
      business.forget('a')
      await sql`update registrations set leased_until = now()`.execute(shop.runtime.db)
      shop.minutesLater(0.1)
      await shop.read()
    }
    await shop.read()
    expect(await shop.indexed()).toEqual([])
    expect(await shop.registration()).toMatchObject({ leased_until: null, index_problem: null })
  })

  test.each([
    ['deleted', sql`delete from registrations`],
    ['moved elsewhere', sql`update registrations set endpoint = 'https://127.0.0.1:9'`],
  ])('a business that is %s while it is read leaves nothing behind', async (_, change) => {
    const shop = await indexShop(server)
    shop.business.put(fed('a'))
    shop.business.before = async () => void (await change.execute(shop.runtime.db))
    await shop.read()
    expect(await shop.indexed()).toEqual([])
  })

  test('a server that closes leaves off between two pages, and the next one goes on from there', async () => {
    const shop = await indexShop(server)
    const { business } = shop
    business.feed.pageSize = 1
    business.put(fed('a'), fed('b'), fed('c'))
    await crawlDue(shop.runtime, { isClosing: () => business.cursors().length === 2 })
    expect(await shop.indexed()).toEqual(['a', 'b'])
    shop.minutesLater(0.1)
    await shop.read()
    expect(await shop.indexed()).toEqual(['a', 'b', 'c'])
    expect(business.cursors()).toEqual([null, '1', '2'])
  })

  test('what moves to another address is read from the beginning within seconds; another place moves its services', async () => {
    const shop = await indexShop(server)
    shop.business.put(fed('a'))
    await shop.read()
    const place = { address: '2 Side St', coordinates: { lat: 10, lng: 20 } }
    await sql`update registrations set location = ${JSON.stringify(place)}`.execute(shop.runtime.db)
    await shop.read()
    expect(shop.business.cursors()).toHaveLength(1)
    shop.minutesLater(0.1)
    await shop.read()
    expect((await shop.row('a')).places).toEqual([place])
    const other = await standInBusiness()
    other.put(fed('z'))
    await sql`update registrations set endpoint = ${other.endpoint}`.execute(shop.runtime.db)
    shop.minutesLater(1)
    await shop.read()
    expect(other.cursors()).toEqual([null])
    expect(await shop.indexed()).toEqual(['z'])
  })
})
