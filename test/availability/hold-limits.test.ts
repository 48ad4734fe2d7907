import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/infra/db/database.ts'
import { freshDatabase } from '../support/database.ts'
import { businessWith, service } from '../support/definitions.ts'
import { type Ask, newcomer, onBothDesks, type Said, testShop, type Who } from '../support/desk.ts'
import { testKey, testPlatform } from '../support/platform.ts'
import { START } from '../support/server.ts'
import { published } from '../support/sign.ts'
import { daily, on } from './week.ts'

const services = [service('svc_cut'), service('svc_other')]
const hours = daily('09:00', '19:00')
const definition = businessWith(services, { hours, limits: { live_holds: 3 } })

await onBothDesks(
  () => testShop(definition),
  (desk, shop) => {
    let days = 24
    /** Slots of a day that no other test looks at, far apart, and a platform that never held anything. */
    async function scene(serviceId = 'svc_cut') {
      shop.time.now = START
      const day = on(new Date(Date.UTC(2026, 10, days++)).toISOString().slice(0, 10))
      const slots = (await desk.slots(serviceId, day)).filter((_, index) => index % 2 === 0)
      const one: Ask = { as: await shop.newPlatform() }
      return { slots, one, other: (await desk.slots('svc_other', day))[0] }
    }
    const waitOf = ({ code, headers, data }: Said) => {
      expect(code).toBe('hold_limit_exceeded')
      return Number(headers['retry-after'] ?? data.retry_after)
    }
    /** Holds and gives back, a second apart. */
    async function rounds(count: number, slot: unknown, ask: Ask) {
      for (let done = 0; done < count; done++) {
        const { hold } = (await desk.hold(slot, {}, ask)).data
        await desk.release(hold.id, ask)
        shop.minutesLater(1 / 60)
      }
    }

    test('[HLD-045] [LIV-064] a platform has no more live holds on a service than the business says, and knows when to come back', async () => {
      const { slots, one, other } = await scene()
      for (const slot of slots.slice(0, 3)) {
        expect((await desk.hold(slot, {}, one)).data.hold.status).toBe('active')
        shop.minutesLater(1)
      }
      const said = await desk.hold(slots[3], {}, one)
      expect(desk.binding === 'REST' ? said.status : said.rpc).toBe(desk.binding === 'REST' ? 429 : -32007)
      expect(JSON.stringify(said.data)).toContain('hold_limit_exceeded')
      expect(JSON.stringify(said.data)).not.toMatch(/rate_limited|validation_error/)
      expect(waitOf(said)).toBe(7 * 60)
      expect((await desk.hold(other, {}, one)).data.hold.service_id).toBe('svc_other')
      expect((await desk.hold(slots[3], {}, { as: await shop.newPlatform() })).data.hold.status).toBe('active')
    })

    test('[HLD-045] who asks for many at once has three', async () => {
      const { slots, one } = await scene()
      const all = await Promise.all(slots.slice(0, 5).map((slot) => desk.hold(slot, {}, one)))
      expect(all.map(({ code }) => code).sort()).toEqual(['hold_limit_exceeded', 'hold_limit_exceeded', ...Array(3)])
    })

    test.each(['expires', 'is released', 'is booked'])(
      '[HLD-046] when one of the three %s there may be another',
      async (how) => {
        const { slots, one } = await scene()
        const [{ hold } = { hold: { id: '' } }] = await Promise.all(
          slots.slice(0, 3).map(async (slot) => (await desk.hold(slot, {}, one)).data),
        )
        waitOf(await desk.hold(slots[3], {}, one))
        if (how === 'expires') shop.minutesLater(10)
        if (how === 'is released') await desk.release(hold.id, one)
        if (how === 'is booked') await desk.book(slots[0], { hold_id: hold.id }, one)
        expect((await desk.hold(slots[3], {}, one)).data.hold.status).toBe('active')
      },
    )

    test('[HLD-047] after more than five rounds in ten minutes each further one doubles the wait', async () => {
      const { slots, one, other } = await scene()
      await rounds(6, slots[0], one)
      shop.minutesLater(-1 / 60)
      for (const minutes of [1, 2, 4, 8, 16]) {
        expect(waitOf(await desk.hold(slots[0], {}, one))).toBe(minutes * 60)
        expect(waitOf(await desk.hold(other, {}, one))).toBe(minutes * 60)
        shop.minutesLater(minutes - 1 / 60)
        expect(waitOf(await desk.hold(slots[0], {}, one))).toBe(1)
        shop.minutesLater(1 / 60)
        const { hold } = (await desk.hold(slots[0], {}, one)).data
        expect(hold.status).toBe('active')
        await desk.release(hold.id, one)
      }
    })

    test('[HLD-047] five rounds in ten minutes are free, and what is longer ago does not count', async () => {
      const { slots, one } = await scene()
      await rounds(5, slots[0], one)
      shop.minutesLater(10)
      await rounds(5, slots[0], one)
      expect((await desk.hold(slots[0], {}, one)).data.hold.status).toBe('active')
    })

    test('[HLD-047] who lets holds lapse gives nothing back', async () => {
      const { slots, one } = await scene()
      for (let done = 0; done < 8; done++) {
        expect((await desk.hold(slots[0], {}, one)).data.hold.status).toBe('active')
        shop.minutesLater(10)
      }
    })

    test.each([true, false])('[HLD-048] a booking, out of a hold: %s, clears the count', async (withHold) => {
      const { slots, one } = await scene()
      await rounds(4, slots[0], one)
      const { hold } = (await desk.hold(slots[1], {}, one)).data
      await rounds(1, slots[0], one)
      shop.minutesLater(1 / 60)
      const { code } = await desk.book(slots[withHold ? 1 : 2], withHold ? { hold_id: hold.id } : {}, one)
      expect(code).toBeUndefined()
      shop.minutesLater(1 / 60)
      await rounds(5, slots[0], one)
      expect((await desk.hold(slots[0], {}, one)).data.hold.status).toBe('active')
    })

    test('[HLD-049] new keys from one address share a count, unless they book', async () => {
      const { slots } = await scene()
      shop.minutesLater(24 * 60)
      for (let done = 0; done < 10; done++) await rounds(3, slots[0], { as: await shop.newPlatform() })
      const another = { as: await shop.newPlatform() }
      await rounds(1, slots[0], another)
      expect(waitOf(await desk.hold(slots[0], {}, { as: await shop.newPlatform() }))).toBeLessThanOrEqual(60)
      expect((await desk.book(slots[1], {}, another)).code).toBeUndefined()
      expect((await desk.hold(slots[0], {}, another)).data.hold.status).toBe('active')
    })
  },
)

await onBothDesks(
  () => testShop(businessWith(services, { hours }), { env: { TRUST_PROXY: '127.0.0.1' } }),
  (desk, shop) => {
    const key = testKey()
    const kinds: [string, number, () => Promise<Who>][] = [
      ['a platform with an API key', 5, shop.newPlatform],
      [
        'a platform with a key that its profile publishes',
        5,
        async () => ({ key, profile: (await testPlatform({ keys: [published('one', key)] })).url }),
      ],
      ['a key that no profile publishes', 3, async () => newcomer(String(shop.platform.profile), '203.0.113.7')],
    ]

    test.each(kinds)(
      '[HLD-045] [LIV-064] where the business sets nothing, of five times %s holds %i',
      async (_, most, who) => {
        const as = await who()
        const slots = (await desk.slots('svc_cut', on('2026-11-24'))).filter((_, index) => index % 2 === 0)
        const codes = []
        for (const slot of slots.slice(0, 5)) codes.push((await desk.hold(slot, {}, { as })).code)
        expect(codes).toEqual(
          Array.from({ length: 5 }, (_, index) => (index < most ? undefined : 'hold_limit_exceeded')),
        )
        shop.minutesLater(11)
      },
    )
  },
)

describe('the wait', async () => {
  const db = openDatabase(await freshDatabase(), 1, () => {})
  afterAll(() => db.destroy())
  const minutes = (...given: number[]) => given.map((minute) => new Date(START.getTime() + minute * 60_000))

  test.each([
    ['nothing', [], undefined],
    ['five', [0, 1, 2, 3, 4], undefined],
    ['six in ten minutes', [0, 1, 2, 3, 4, 9.9], 10.9],
    ['six in more', [0, 1, 2, 3, 4, 10], undefined],
    ['seven', [0, 0, 0, 0, 0, 0, 1], 3],
    ['six, and one within ten minutes after the wait', [0, 0, 0, 0, 0, 0, 11], 13],
    ['six, and one after that', [0, 0, 0, 0, 0, 0, 11.1], undefined],
    ['six twice, far apart', [0, 0, 0, 0, 0, 0, 60, 60, 60, 60, 60, 60], 61],
    ['more than anybody can, a day', Array(100).fill(0), 24 * 60],
  ])('[HLD-047] after %s', async (_, given, until) => {
    const { rows } = await sql`select wait_after(${minutes(...given)}::timestamptz[], 5) as until`.execute(db)
    expect(rows).toEqual([{ until: until === undefined ? null : minutes(until)[0] }])
  })
})
