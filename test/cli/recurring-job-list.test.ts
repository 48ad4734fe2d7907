import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { runHousekeeping, startHousekeeping } from '../../src/cli/recurring-job-list.ts'
import { syncSessions } from '../../src/domain/definition/sync-class-sessions.ts'
import { businessWith, service } from '../support/definitions.ts'
import { onBothDesks, restDesk, testShop } from '../support/desk.ts'
import { START } from '../support/server.ts'

const usual = service('svc_cut').policies
const person = (id: string) => ({ resources: [{ type: 'staff' as const, options: [id], selectable: true }] })
const definition = businessWith(
  [
    service('svc_asked', { ...person('staff_a'), policies: { ...usual, confirmation_mode: 'manual' } }),
    service('svc_paid', { ...person('staff_b'), policies: { ...usual, payment_timing: 'at_booking' } }),
    service('svc_class', {
      type: 'group',
      capacity: { max: 3 },
      sessions: [{ days: ['tuesday'], starts: '12:00', resources: ['staff_c'] }],
    }),
  ],
  { resources: ['staff_a', 'staff_b', 'staff_c'].map((id) => ({ id, type: 'staff', name: id })) },
)
const DAY = 24 * 60

await onBothDesks(
  () => testShop(definition),
  (desk, shop) => {
    const { db } = shop.runtime
    const statusOf = async (id: string) =>
      (await db.selectFrom('bookings').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status
    const claimsOf = async (id: string) =>
      (await db.selectFrom('claims').select('id').where('holder_id', '=', id).execute()).length
    const seatsOf = async (id: string) =>
      (await db.selectFrom('seats').select('spots').where('holder_id', '=', id).execute()).length
    const laterBy = async (minutes: number) => {
      shop.minutesLater(minutes)
      await runHousekeeping(shop.runtime)
    }
    beforeEach(() => {
      // Days that no other test has booked.
      shop.minutesLater(1)
    })

    test.each([
      ['svc_asked', 'pending'],
      ['svc_paid', 'requires_action'],
    ])(
      'a booking of %s that is %s past its time is written down as canceled, once, and the time is free',
      async (id, status) => {
        const [slot] = await desk.slots(id)
        const { booking } = (await desk.book(slot)).data
        expect([booking.status, await statusOf(booking.id)]).toEqual([status, status])
        const until = Math.ceil((Date.parse(booking.expires_at) - shop.time.now.getTime()) / 60_000)
        await laterBy(until - 1)
        expect(await statusOf(booking.id)).toBe(status)
        await laterBy(1)
        expect([await statusOf(booking.id), await claimsOf(booking.id)]).toEqual(['canceled', 0])
        await Promise.all([laterBy(2), runHousekeeping(shop.runtime), runHousekeeping(shop.runtime)])
        const changes = await db
          .selectFrom('changes')
          .select(['actor', 'action', 'to_status'])
          .where('subject', '=', `booking ${booking.id}`)
          .where('to_status', '=', 'canceled')
          .execute()
        expect(changes).toEqual([{ actor: 'system', action: 'expire', to_status: 'canceled' }])
        expect((await desk.get(booking.id)).data.booking).toMatchObject({
          status: 'canceled',
          cancellation: { canceled_by: 'system' },
        })
      },
    )

    test('what a lapsed hold took is tidied away a little later than it lapses, and a live one stays', async () => {
      const [slot] = await desk.slots('svc_asked')
      const [place] = await desk.slots('svc_class')
      const [held, seat] = [(await desk.hold(slot)).data.hold, (await desk.hold(place, { spots: 2 })).data.hold]
      await laterBy(10)
      expect([await claimsOf(held.id), await seatsOf(seat.id)]).toEqual([1, 1])
      const live = (await desk.hold((await desk.slots('svc_asked')).at(-1))).data.hold
      await laterBy(1)
      expect([await claimsOf(held.id), await seatsOf(seat.id), await claimsOf(live.id)]).toEqual([0, 0, 1])
    })

    test('[holds are forgotten] a hold that ended is known for as long as answers are kept, and then no more', async () => {
      const before = shop.time.now
      const all = await desk.slots('svc_asked')
      const [one, another] = [all[0], all.at(-1)]
      const [lapsed, released] = [(await desk.hold(one)).data.hold, (await desk.hold(another)).data.hold]
      await desk.release(released.id)
      const { booking } = (await desk.book(another, { hold_id: (await desk.hold(another)).data.hold.id })).data
      const known = async () =>
        (await db.selectFrom('holds').select('id').where('id', 'in', [lapsed.id, released.id]).execute()).length
      await laterBy(7 * DAY)
      expect(await known()).toBe(2)
      expect((await desk.release(lapsed.id)).data.hold.status).toBe('expired')
      await laterBy(11)
      expect(await known()).toBe(0)
      expect((await desk.release(lapsed.id)).code).toBe('not_found')
      expect((await desk.get(booking.id)).data.booking.id).toBe(booking.id)
      shop.time.now = before
    })

    test('classes are there for as far ahead as they can be booked, however long the server runs', async () => {
      const last = async () =>
        (
          await db
            .selectFrom('sessions')
            .select(({ fn }) => fn.max('starts_at').as('at'))
            .executeTakeFirstOrThrow()
        ).at
      await laterBy(DAY)
      const before = await last()
      await laterBy(14 * DAY)
      expect(Number(await last()) - Number(before)).toBe(14 * DAY * 60_000)
    })
  },
)

describe('several servers', () => {
  test('each job is done once when it is due, by whichever notices', async () => {
    const shop = await testShop(definition)
    const lines = () => shop.runtime.db.selectFrom('housekeeping').selectAll().orderBy('job').execute()
    await Promise.all([runHousekeeping(shop.runtime), runHousekeeping(shop.runtime), runHousekeeping(shop.runtime)])
    const first = await lines()
    expect(first.length).toBeGreaterThan(5)
    shop.time.now = new Date(START.getTime() + 59_999)
    await runHousekeeping(shop.runtime)
    expect(await lines()).toEqual(first)
    shop.time.now = new Date(START.getTime() + 60_000)
    await runHousekeeping(shop.runtime)
    const moved = (await lines()).filter(({ next_at }, index) => Number(next_at) !== Number(first[index]?.next_at))
    expect(moved.map(({ job }) => job)).toContain('expire bookings')
    expect(moved.map(({ job }) => job)).not.toContain('extend class sessions')
  })

  test('[jobs put too far ahead are due now] what a wrong clock put off is done all the same, once', async () => {
    const shop = await testShop(definition)
    const { db } = shop.runtime
    await runHousekeeping(shop.runtime)
    const lines = () => db.selectFrom('housekeeping').selectAll().orderBy('job').execute()
    const right = await lines()
    await sql`update housekeeping set next_at = next_at + interval '3 hours'`.execute(db)
    await runHousekeeping(shop.runtime)
    expect(await lines()).toEqual(right)
    // Another server's idea of now may be a moment earlier.
    shop.time.now = new Date(shop.time.now.getTime() - 1_000)
    await runHousekeeping(shop.runtime)
    expect(await lines()).toEqual(right)
  })

  test('a row that somebody else has locked holds nobody up', async () => {
    const shop = await testShop(definition)
    const desk = restDesk(shop)
    const [slot] = await desk.slots('svc_asked')
    const held = (await desk.hold(slot)).data.hold
    shop.minutesLater(12)
    await shop.runtime.db.transaction().execute(async (tx) => {
      await sql`select * from claims where holder_id = ${held.id} for update`.execute(tx)
      await runHousekeeping(shop.runtime)
    })
    const left = () => shop.runtime.db.selectFrom('claims').selectAll().where('holder_id', '=', held.id).execute()
    expect(await left()).toHaveLength(1)
    shop.minutesLater(1)
    await runHousekeeping(shop.runtime)
    expect(await left()).toEqual([])
  })

  test('one that fails is tried again in a minute, says so in the log, and the others go on', async () => {
    const shop = await testShop(definition)
    const { db } = shop.runtime
    await sql`alter table sessions rename to elsewhere`.execute(db)
    await runHousekeeping(shop.runtime)
    await sql`alter table elsewhere rename to sessions`.execute(db)
    const next = async (job: string) =>
      (await db.selectFrom('housekeeping').select('next_at').where('job', '=', job).executeTakeFirst())?.next_at
    expect(shop.logged.join('')).toContain('"job":"extend class sessions"')
    expect(await next('extend class sessions')).toEqual(new Date(START.getTime() + 60_000))
    expect(await next('tidy the ledger')).toEqual(new Date(START.getTime() + 60_000))
  })

  test('[what is of no use any more is forgotten] counts, keys, credentials and strangers, and none before its time', async () => {
    const shop = await testShop(definition)
    const { db } = shop.runtime
    const { now } = shop.time
    const ago = (days: number, milliseconds = 0) => new Date(now.getTime() - days * DAY * 60_000 - milliseconds)
    const desk = restDesk(shop)
    const [slot, , other, , third] = await desk.slots('svc_asked')
    const book = async (one: object) => (await desk.book(one)).data.booking.id
    const [live, over, ended] = [await book(slot), await book(other), await book(third)]
    await sql`update bookings set ends_at = ${ago(30)}, starts_at = ${ago(31)}, principal = 'key:booked'
      where id = ${over}`.execute(db)
    await desk.cancel(ended)
    const held = (await desk.hold((await desk.slots('svc_asked')).at(-1))).data.hold
    await sql`delete from scoped_credentials`.execute(db)

    await sql`insert into rate_limits (key, minute, count) values
      ('count now', ${now}, 1), ('count two', ${ago(0, 120_000)}, 1), ('old count', ${ago(0, 120_001)}, 1)`.execute(db)
    await sql`insert into principals (principal, profile, first_seen, last_seen) values
      ('key:lately', '', ${ago(9)}, ${ago(8)}), ('key:old', '', ${ago(9)}, ${ago(8, 1)}),
      ('key:booked', '', ${ago(9)}, ${ago(9)}), ('client:old', '', ${ago(9)}, ${ago(9)})`.execute(db)
    const credential = (what: string, kind: string, id: string, expires_at: Date) =>
      sql`
      insert into scoped_credentials (value_hash, resource_kind, resource_id, principal, profile, expires_at)
      values (sha256(${what}::bytea), ${kind}, ${id}, ${what}, '', ${expires_at})`.execute(db)
    await credential('good', 'hold', 'hold_1', now)
    await credential('old hold', 'hold', 'hold_1', ago(0, 1))
    await credential('may be renewed', 'booking', live, ago(0, 1))
    await credential('old booking', 'booking', over, ago(0, 1))
    await credential('old ended', 'booking', ended, ago(0, 1))
    await sql`insert into strangers (kind, id, network, stood, made_at) values ('hold', ${held.id}, 'live', false, ${now}),
      ('hold', 'hold_gone', 'old', false, ${now})`.execute(db)
    await sql`insert into mail_causes (network, addressee, made_at)
      values ('live', null, ${ago(0, 3_599_999)}), ('old', 'x', ${ago(0, 3_600_000)})`.execute(db)

    await runHousekeeping(shop.runtime)
    const names = async (column: string, table: string) =>
      (await sql<{ name: string }>`select ${sql.ref(column)} as name from ${sql.table(table)}`.execute(db)).rows
        .map(({ name }) => name)
        .filter((name) => /^(count|old|good|may|live|key:|client:old)/.test(name))
        .sort()
    expect(await names('key', 'rate_limits')).toEqual(['count now', 'count two'])
    expect(await names('principal', 'principals')).toEqual(['client:old', 'key:booked', 'key:lately'])
    expect(await names('principal', 'scoped_credentials')).toEqual(['good', 'may be renewed'])
    expect(await names('network', 'strangers')).toEqual(['live'])
    expect(await names('network', 'mail_causes')).toEqual(['live'])
    shop.time.now = new Date(Date.parse(held.expires_at))
    await runHousekeeping(shop.runtime)
    expect(await names('network', 'strangers')).toEqual([])
  })

  test('classes are extended by the definition in force, not by one that a server still remembers', async () => {
    const shop = await testShop(definition)
    const { db, business } = shop.runtime
    await business.get()
    const [without] = [businessWith(definition.services.filter(({ type }) => type !== 'group'))]
    await shop.apply(without)
    await syncSessions(shop.runtime, shop.time.now)
    expect(await db.selectFrom('sessions').selectAll().where('wanted', '=', true).execute()).toEqual([])
  })

  test('a house that is closed while it is swept is left in order', async () => {
    const shop = await testShop(definition)
    const { close } = startHousekeeping(shop.runtime)
    await close()
    const done = await shop.runtime.db.selectFrom('housekeeping').selectAll().execute()
    expect(done.length).toBeLessThan(3)
  })
})
