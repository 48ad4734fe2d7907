import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { runHousekeeping } from '../../src/cli/recurring-job-list.ts'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import { daily } from '../availability/week.ts'
import { businessWith, service } from '../support/definitions.ts'
import { newcomer, onBothDesks, type Shop, testShop, type Who } from '../support/desk.ts'
import { testKey, testPlatform } from '../support/platform.ts'
import { published } from '../support/sign.ts'
import { person } from '../waitlist/queue.ts'

const manual = service('svc_asked', {
  policies: { ...service('svc_x').policies, confirmation_mode: 'manual' },
})
const classOfOne = (id: string) =>
  service(id, {
    type: 'group',
    capacity: { max: 1, waitlist: true },
    sessions: [{ days: ['tuesday', 'wednesday', 'thursday'], starts: '10:00' }],
  })
const classes = [classOfOne('svc_class'), classOfOne('svc_free_class')]
const definition: BusinessDefinition = businessWith([service('svc_cut'), manual, ...classes], {
  hours: daily('08:00', '20:00'),
  limits: { strangers: { holds: 3, bookings: 3, waitlist: 3 } },
})

interface Street extends Shop {
  profile: string
  stranger(address?: string): Who
}

let houses = 0

/** A shop behind a proxy, so that callers come from everywhere. */
async function street(limits = definition.limits): Promise<Street> {
  const shop = await testShop({ ...definition, ...(limits && { limits }) }, { env: { TRUST_PROXY: '127.0.0.1' } })
  const { url: profile } = await testPlatform()
  return { ...shop, profile, stranger: (address = '203.0.113.1') => newcomer(profile, address) }
}

await onBothDesks(street, (desk, shop) => {
  /** An address that no other test calls from, and slots that are free beside each other. */
  const scene = async (serviceId: string) => {
    const address = `198.51.100.${++houses}`
    let end = ''
    const slots = (await desk.slots(serviceId)).filter((slot) => {
      const isFree = slot.start >= end
      if (isFree) end = slot.end
      return isFree
    })
    return { address, slots }
  }
  /** What the line says besides, such as what is free, is no refusal. */
  const isIn = ({ data }: { data: { entry?: unknown } }) => data.entry !== undefined
  const refusal = desk.binding === 'REST' ? { status: 429 } : { rpc: -32007 }

  test('[LIV-064] [strangers: holds] keys cost nothing, so those of one address have so many live holds together', async () => {
    const { address, slots } = await scene('svc_cut')
    for (const slot of slots.slice(0, 3))
      expect((await desk.hold(slot, {}, { as: shop.stranger(address) })).code).toBeUndefined()
    const said = await desk.hold(slots[3], {}, { as: shop.stranger(address) })
    expect(said).toMatchObject({ code: 'hold_limit_exceeded', ...refusal })
    expect(Number(said.headers['retry-after'] ?? said.data.retry_after)).toBe(600)
    expect(JSON.stringify(said.data)).toContain('list your key under `keys`')
    expect((await desk.hold(slots[3], {}, { as: shop.stranger('192.0.2.1') })).code).toBeUndefined()
    shop.minutesLater(10)
    expect((await desk.hold(slots[4], {}, { as: shop.stranger(address) })).code).toBeUndefined()
  })

  test('[strangers: IPv6] a /56, the least that a subscriber has, is one address', async () => {
    const { slots } = await scene('svc_cut')
    const from = (last: string) => ({ as: shop.stranger(`2001:db8:${houses}:1${last}`) })
    for (const [index, slot] of slots.slice(0, 3).entries())
      expect((await desk.hold(slot, {}, from(`0${index}:${index}::${index}`))).code).toBeUndefined()
    expect((await desk.hold(slots[3], {}, from('ff:ffff:ffff:ffff:ffff'))).code).toBe('hold_limit_exceeded')
    const next = { as: shop.stranger(`2001:db8:${houses}:200::1`) }
    expect((await desk.hold(slots[3], {}, next)).code).toBeUndefined()
  })

  test.each([
    ['svc_cut', 'stand at once'],
    ['svc_asked', 'wait for an approval'],
  ])('[strangers: bookings] so many bookings of %s, which %s', async (serviceId) => {
    const { address, slots } = await scene(serviceId)
    for (const slot of slots.slice(0, 3))
      expect((await desk.book(slot, {}, { as: shop.stranger(address) })).code).toBeUndefined()
    const refused = await desk.book(slots[3], {}, { as: shop.stranger(address) })
    expect(refused).toMatchObject({ code: 'rate_limited', ...refusal })
    expect(Number(refused.headers['retry-after'] ?? refused.data.retry_after)).toBeGreaterThan(0)
    // What was refused left nothing behind.
    expect((await desk.book(slots[3], {}, { as: shop.stranger('192.0.2.7') })).code).toBeUndefined()
  })

  test('[strangers: bookings] what is approved, canceled or an hour old counts no more', async () => {
    const { address, slots } = await scene('svc_asked')
    const as = shop.stranger(address)
    const made = []
    for (const slot of slots.slice(0, 3)) made.push((await desk.book(slot, {}, { as })).data.booking)
    expect((await desk.book(slots[3], {}, { as })).code).toBe('rate_limited')
    expect((await desk.confirm(made[0].id)).code).toBeUndefined()
    expect((await desk.cancel(made[1].id, {}, { as })).code).toBeUndefined()
    for (const slot of slots.slice(3, 5)) expect((await desk.book(slot, {}, { as })).code).toBeUndefined()
    expect((await desk.book(slots[5], {}, { as })).code).toBe('rate_limited')

    const other = await scene('svc_cut')
    for (const slot of other.slots.slice(0, 3)) await desk.book(slot, {}, { as: shop.stranger(other.address) })
    expect((await desk.book(other.slots[3], {}, { as: shop.stranger(other.address) })).code).toBe('rate_limited')
    shop.minutesLater(60)
    expect((await desk.book(other.slots[3], {}, { as: shop.stranger(other.address) })).code).toBeUndefined()
  })

  test('[strangers: waitlist] nobody fills a line with keys', async () => {
    const { address } = await scene('svc_cut')
    const join = (name: string, as: Who) =>
      desk.call('usp_waitlist_join', { service_id: 'svc_class', buyer: person(name) }, { as })
    const one = shop.stranger(address)
    const { entry } = (await join('Ann', one)).data
    for (const name of ['Bob', 'Cid']) expect(isIn(await join(name, shop.stranger(address)))).toBe(true)
    const refused = await join('Dan', shop.stranger(address))
    expect(refused).toMatchObject({ code: 'rate_limited', ...refusal })
    expect(Number(refused.headers['retry-after'] ?? refused.data.retry_after)).toBe(3600)
    expect(isIn(await join('Eve', shop.platform))).toBe(true)
    await desk.call('usp_waitlist_leave', { entry_id: entry.id }, { as: one })
    expect(isIn(await join('Dan', shop.stranger(address)))).toBe(true)
  })

  test('[strangers: bookings] those made of an offer count as well', async () => {
    const { address } = await scene('svc_cut')
    const places = await desk.slots('svc_free_class')
    const joined = []
    for (const { id } of places.slice(0, 3)) {
      const as = shop.stranger(address)
      const wish = { service_id: 'svc_free_class', slot_id: id, buyer: person('Ann') }
      const { entry } = (await desk.call('usp_waitlist_join', wish, { as })).data
      const accept = () => desk.call('usp_waitlist_accept', { entry_id: entry.id }, { as })
      joined.push({ status: entry.status, accept })
    }
    expect(joined.map(({ status }) => status)).toEqual(['offered', 'offered', 'offered'])
    const { slots } = await scene('svc_asked')
    for (const slot of slots.slice(0, 2)) await desk.book(slot, {}, { as: shop.stranger(address) })
    const [first, second] = joined
    expect((await first?.accept())?.data.entry.status).toBe('accepted')
    expect(await second?.accept()).toMatchObject({ code: 'rate_limited', ...refusal })
  })

  test('[strangers: race] of many at once not one too many', async () => {
    const { address, slots } = await scene('svc_cut')
    const all = (ask: (slot: unknown) => Promise<{ code: string | undefined }>) =>
      Promise.all(slots.slice(0, 6).map(ask)).then((said) => said.filter(({ code }) => code === undefined).length)
    expect(await all((slot) => desk.hold(slot, {}, { as: shop.stranger(address) }))).toBe(3)
    shop.minutesLater(10)
    expect(await all((slot) => desk.book(slot, {}, { as: shop.stranger(address) }))).toBe(3)
    const join = (name: unknown) =>
      desk.call(
        'usp_waitlist_join',
        { service_id: 'svc_class', buyer: person(`N${String(name)}`) },
        { as: shop.stranger(address) },
      )
    const joined = await Promise.all([1, 2, 3, 4, 5, 6].map(join))
    expect(joined.filter(isIn)).toHaveLength(3)
  })

  test('[strangers: race] who books what is held waits for its turn before it locks anything', async () => {
    const { address, slots } = await scene('svc_cut')
    const as = shop.stranger(address)
    const { hold } = (await desk.hold(slots[0], {}, { as })).data
    const { db } = shop.runtime
    const [booked] = await db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`strangers booking ${address}`}, 0))`.execute(tx)
      const booking = desk.book(slots[0], { hold_id: hold.id }, { as })
      const waits = sql`
        select from pg_locks where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())`
      while ((await waits.execute(db)).rows.length === 0);
      await sql`select from claims where holder_id = ${hold.id} for update nowait`.execute(tx)
      return [booking]
    })
    expect((await booked)?.code).toBeUndefined()
  })

  test('[strangers: known] a client, and a key that its profile publishes, stand outside', async () => {
    const { address, slots } = await scene('svc_cut')
    const key = testKey('ES256')
    const { url } = await testPlatform({ keys: [published('one', key)] })
    const known: Who = { key, profile: url, address }
    const client = { ...shop.platform, address }
    for (const slot of slots.slice(0, 3)) await desk.book(slot, {}, { as: shop.stranger(address) })
    for (const [index, slot] of slots.slice(3, 11).entries())
      expect((await desk.book(slot, {}, { as: index % 2 ? known : client })).code).toBeUndefined()
    expect((await desk.book(slots[11], {}, { as: shop.stranger(address) })).code).toBe('rate_limited')
  })

  test('[strangers: retry] the first answer is given again when there is room for no more', async () => {
    const { address, slots } = await scene('svc_cut')
    const as = shop.stranger(address)
    const first = await desk.book(slots[0], {}, { as, idempotencyKey: 'a key of mine that repeats' })
    for (const slot of slots.slice(1, 3)) await desk.book(slot, {}, { as: shop.stranger(address) })
    const again = await desk.book(slots[0], {}, { as, idempotencyKey: 'a key of mine that repeats' })
    expect([again.code, again.data.booking.id]).toEqual([undefined, first.data.booking.id])
  })

  test('[strangers: privacy] where they called from is forgotten with what it counts for', async () => {
    const { address, slots } = await scene('svc_cut')
    await desk.hold(slots[0], {}, { as: shop.stranger(address) })
    await desk.book(slots[1], {}, { as: shop.stranger(address) })
    const kept = () =>
      shop.runtime.db.selectFrom('strangers').select('kind').where('network', '=', address).orderBy('kind').execute()
    expect((await kept()).map(({ kind }) => kind)).toEqual(['booking', 'hold'])
    shop.minutesLater(11)
    await runHousekeeping(shop.runtime)
    expect((await kept()).map(({ kind }) => kind)).toEqual(['booking'])
    shop.minutesLater(50)
    await runHousekeeping(shop.runtime)
    expect(await kept()).toEqual([])
  })

  test('[strangers: waitlist] an entry whose times are over leaves room for another', async () => {
    const { address } = await scene('svc_cut')
    const today = shop.runtime.clock().toISOString().slice(0, 10)
    const join = (name: string) =>
      desk.call(
        'usp_waitlist_join',
        { service_id: 'svc_class', buyer: person(name), preferred_slots: [{ start_date: today, end_date: today }] },
        { as: shop.stranger(address) },
      )
    for (const name of ['Flo', 'Gus', 'Hal']) expect(isIn(await join(name))).toBe(true)
    expect((await join('Ida')).code).toBe('rate_limited')
    shop.minutesLater(2 * 24 * 60)
    const later = { service_id: 'svc_class', buyer: person('Ida') }
    expect(isIn(await desk.call('usp_waitlist_join', later, { as: shop.stranger(address) }))).toBe(true)
  })
})

describe('calls', async () => {
  await onBothDesks(
    () => street({ strangers: { calls: 5, beside_keys: 2 } }),
    (desk, shop) => {
      const read = (as: Who) => desk.get('bkg_none', { as })
      const change = (as: Who) => desk.cancel('bkg_none', {}, { as })

      test('[strangers: calls] so many a minute from one address, whatever the keys', async () => {
        for (const _ of [1, 2, 3, 4, 5]) expect((await read(shop.stranger())).code).toBe('booking_not_found')
        const refused = await read(shop.stranger())
        expect(refused.code).toBe('rate_limited')
        expect(Number(refused.headers['retry-after'] ?? refused.data.retry_after)).toBeGreaterThan(0)
        expect((await read(shop.stranger('192.0.2.9'))).code).toBe('booking_not_found')
        expect((await read({ ...shop.platform, address: '203.0.113.1' })).code).toBe('booking_not_found')
        shop.minutesLater(1)
        expect((await read(shop.stranger())).code).toBe('booking_not_found')
      })

      test('[strangers: calls] fewer changes under a profile that publishes other keys', async () => {
        shop.minutesLater(2)
        const { url } = await testPlatform({ keys: [published('one', testKey('ES256'))] })
        const beside = () => newcomer(url, '203.0.113.2')
        for (const _ of [1, 2]) expect((await change(beside())).code).toBe('booking_not_found')
        const refused = await change(beside())
        expect(refused.code).toBe('rate_limited')
        // Each agent has a key of its own: to list them all in the profile would be no advice.
        const text = JSON.stringify(refused.data)
        expect(text).toContain('More than 2 changes in a minute by keys that your platform profile does not publish.')
        expect(text).toContain('with a key that your profile publishes')
        expect((await read(beside())).code).toBe('booking_not_found')
        expect((await change(newcomer(url, '203.0.113.3'))).code).toBe('booking_not_found')
      })

      test('[strangers: told] the log says it once a minute, and the metrics count each refusal', async () => {
        shop.minutesLater(2)
        shop.logged.length = 0
        const said = () => shop.logged.filter((line) => line.includes('limits.strangers.calls'))
        const flood = async () => {
          for (let call = 0; call < 9; call++) await read(shop.stranger('203.0.113.4'))
        }
        await flood()
        expect(said()).toHaveLength(1)
        expect(said()[0]).not.toContain('203.0.113.4')
        shop.minutesLater(1)
        await flood()
        expect(said()).toHaveLength(2)
        const { body } = await shop.raw({ method: 'GET', url: '/metrics' })
        const [, count] = /usp_stranger_limit_refusals_total\{limit="calls"\} (\d+)/.exec(String(body)) ?? []
        expect(Number(count)).toBeGreaterThanOrEqual(8)
      })
    },
  )
})
