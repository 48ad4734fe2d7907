import { describe, expect, test } from 'vitest'
import { indexShop } from './index-shop.ts'
import { fed } from './services.ts'

const HOUR = 60

describe('a catalogue', () => {
  test('[REG-067] [REG-091] is read page after page from the beginning, then what is new once an hour', async () => {
    const shop = await indexShop()
    const { business } = shop
    business.feed.pageSize = 2
    business.put(...['a', 'b', 'c', 'd', 'e'].map((id) => fed(id)))
    await shop.read()
    expect(await shop.indexed()).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(business.asked.map((query) => query.get('cursor'))).toEqual([null, '2', '4'])
    expect(await shop.registration()).toMatchObject({
      feed_cursor: '5',
      reading_since: null,
      indexed_at: shop.time.now,
      index_problem: null,
      leased_until: null,
    })
    shop.minutesLater(HOUR - 1)
    await shop.read()
    expect(business.asked).toHaveLength(3)

    business.put(fed('b', { name: 'Renamed' }), fed('f'))
    shop.minutesLater(1)
    await shop.read()
    expect(business.asked.slice(3).map((query) => query.get('cursor'))).toEqual(['5'])
    expect(await shop.indexed()).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
    expect((await shop.row('b')).body.service_name).toBe('Renamed')
    expect((await shop.registration()).indexed_at).toEqual(shop.time.now)
  })
})
